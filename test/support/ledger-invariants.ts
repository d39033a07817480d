import type { Pool } from 'pg';

/** What holds of every attempt in a ledger whenever nothing is in the middle of a transaction; each with the rows that break it. */
export const invariants: readonly { readonly name: string; readonly broken: string }[] = [
  {
    name: 'R10.1 the sequences of an attempt are 1 to n',
    broken: `select a.key from attempts a left join events e on e.attempt = a.key group by a.key, a.sequence
             having count(*) <> a.sequence or min(e.sequence) <> 1 or max(e.sequence) <> a.sequence`,
  },
  {
    name: 'M7 the events of a move follow those of the moves before it',
    broken: `select attempt, sequence from (
               select attempt, sequence, move < lag(move) over w or move = lag(move) over w and k <= lag(k) over w as back
               from events window w as (partition by attempt order by sequence)) ordered where back`,
  },
  {
    name: 'M1 the moves of an attempt are 1 to n',
    broken: 'select attempt from moves group by attempt having min(n) <> 1 or max(n) <> count(*)',
  },
  {
    name: 'M9 a number that has its answer has no execution',
    broken: 'select attempt, n from executions join moves using (attempt, n)',
  },
  {
    name: 'R11.3 nothing of an ended attempt is alive',
    broken: `select e.attempt, e.n from executions e join attempts a on a.key = e.attempt
             where a.ended_at is not null and e.finished_at is null`,
  },
  {
    name: 'R6.2 the account is the sum of what its tries used',
    broken: `select a.key from attempts a left join model_tries t on t.attempt = a.key group by a.key
             having (a.account ->> 'tokens')::bigint <> coalesce(sum((t.usage ->> 'inputTokens')::bigint + (t.usage ->> 'outputTokens')::bigint), 0)
                 or (a.account ->> 'costMicroUsd')::bigint <> coalesce(sum((t.usage ->> 'costMicroUsd')::bigint), 0)`,
  },
  {
    name: 'R6.2 what is held is the sum of the reservations of open tries',
    broken: `select a.key from attempts a left join model_tries t on t.attempt = a.key and t.closed_at is null group by a.key
             having (a.account ->> 'reservedTokens')::bigint <> coalesce(sum((t.reserved ->> 'inputTokens')::bigint + (t.reserved ->> 'outputTokens')::bigint), 0)
                 or (a.account ->> 'reservedCostMicroUsd')::bigint <> coalesce(sum((t.reserved ->> 'costMicroUsd')::bigint), 0)`,
  },
  {
    name: 'R6.1 the turns charged are the turns there are',
    broken: `select a.key from attempts a join turns t on t.attempt = a.key group by a.key
             having (a.account ->> 'turns')::int <> count(*) or max(t.turn) <> a.turn or count(*) <> a.turn`,
  },
  {
    name: 'R6.2 a try is open only while its number has an execution',
    broken: `select t.attempt from (select attempt, 'think' as kind from model_tries where closed_at is null
               union all select attempt, 'act' from tool_tries where closed_at is null) t
             left join executions e on e.attempt = t.attempt and e.kind = t.kind where e.id is null`,
  },
  {
    name: 'R1.3 the executions of a try are 1 to n, and all but the last were lost',
    broken: `select attempt from (
               select attempt, step, 0 as index, try, execution, outcome from model_tries
               union all select attempt, step, index + 1, try, execution, outcome from tool_tries) t
             group by attempt, step, index, try
             having max(execution) <> count(*) or count(*) filter (where outcome is distinct from 'lost') > 1
                 or max(execution) filter (where outcome is distinct from 'lost') < count(*)`,
  },
  {
    name: 'R3.1 a proposal was answered once',
    broken: `select s.attempt, s.step from steps s left join model_tries t
               on t.attempt = s.attempt and t.step = s.step and t.outcome = 'answered'
             group by s.attempt, s.step having count(t.execution) <> 1`,
  },
  {
    name: 'R13.4 each action of a step that another follows was observed, and each of a completed attempt',
    broken: `select c.attempt, c.step, c.index from actions c join attempts a on a.key = c.attempt
               left join observations o on o.attempt = c.attempt and o.step = c.step and o.index = c.index
             where o.attempt is null and (c.step < a.step or a.state = 'COMPLETED')`,
  },
  {
    name: 'M8 an ended attempt has read or rejected every message',
    broken: `select i.attempt, i.id from inbox i join attempts a on a.key = i.attempt
             where i.taken_by is null and a.ended_at is not null`,
  },
  {
    name: 'M4 a message was disposed of by one move, and each `say` that was taken is one input',
    broken: `select i.attempt, i.id from inbox i left join moves m on m.attempt = i.attempt and m.n = i.taken_by
               left join inputs p on p.attempt = i.attempt and p.body ->> 'messageId' = i.id
             where (i.taken_by is null) <> (i.disposition is null) or i.taken_by is not null and m.n is null
             group by i.attempt, i.id
             union all select i.attempt, i.id from inbox i left join inputs p on p.attempt = i.attempt and p.body ->> 'messageId' = i.id
             where i.kind = 'say' group by i.attempt, i.id
             having count(p.ordinal) <> (case when bool_or(i.disposition = 'taken') then 1 else 0 end)`,
  },
  {
    name: 'M8 an end is one event, the last but for what came too late',
    broken: `select a.key from attempts a left join events e on e.attempt = a.key and e.type = 'ended' group by a.key
             having count(e.sequence) <> (case when a.ended_at is null then 0 else 1 end)
             union all select a.key from attempts a join events e on e.attempt = a.key and e.type = 'ended'
               join events later on later.attempt = a.key and later.sequence > e.sequence
             where later.type not in ('message_rejected', 'state_moved', 'execution_lost')`,
  },
];

/** The invariants that the ledger breaks, each with some of the rows that break it; empty where it is sound. */
export async function brokenInvariants(pool: Pick<Pool, 'query'>): Promise<{ name: string; rows: unknown[] }[]> {
  const found: { name: string; rows: unknown[] }[] = [];
  for (const { name, broken } of invariants) {
    const { rows } = await pool.query(`${broken} limit 5`);
    if (rows.length > 0) found.push({ name, rows });
  }
  return found;
}
