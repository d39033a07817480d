import { parallelActionsMax } from '../../domain/schedule/parallel-actions-max';
import type { LedgerRule } from './rule';

/** The move log, events, messages, steps and tries. */
export const historyRules: readonly LedgerRule[] = [
  {
    rule: 'R10.1 the sequences of an attempt are 1 to n',
    broken: `select a.key, 'counts ' || a.sequence || ' events and has ' || count(e.sequence)
             from attempts a left join events e on e.attempt = a.key group by a.key, a.sequence
             having count(*) <> a.sequence or min(e.sequence) <> 1 or max(e.sequence) <> a.sequence`,
  },
  {
    rule: 'M7 the events of a move follow those of the moves before it, but for moves made side by side and what an answer that came late says',
    broken: `select attempt, 'event ' || sequence || ' is of an earlier move than one before it' from (
               select attempt, sequence, move, k,
                 max(move) over (partition by attempt order by sequence rows between unbounded preceding and 1 preceding) as newest,
                 lag(k) over (partition by attempt, move order by sequence) as before
               from events where type not in ('effect_settled', 'effect_conflict', 'compensated')) e
             where k <= before or move < newest and (newest - move >= ${parallelActionsMax} or exists (
               select from moves m where m.attempt = e.attempt and m.n between e.move and e.newest and m.kind <> 'act'))`,
  },
  {
    // Of moves made side by side a later one may be answered first; where the workflow is lost meanwhile, the earlier one never is.
    rule: 'M1 the moves of an attempt are 1 to n, but for those that are made side by side now, or were when the workflow was lost',
    broken: `select m.attempt, 'move ' || g.n || ' has no answer, and move ' || m.last || ' has' from (
               select attempt, max(n) as last from moves group by attempt having min(n) <> 1 or max(n) <> count(*)) m
             join attempts a on a.key = m.attempt cross join lateral generate_series(1, m.last) g(n)
             cross join lateral (select exists (
               select from events e where e.attempt = m.attempt and e.type = 'workflow_lost') as lost) w
             where not exists (select from moves x where x.attempt = m.attempt and x.n = g.n)
               and (a.ended_at is not null and not w.lost or exists (
                 select from moves x where x.attempt = m.attempt and x.n > g.n
                   and case x.kind when 'act' then x.n - g.n >= ${parallelActionsMax} else not (w.lost and x.kind = 'settle') end))`,
  },
  {
    rule: 'M1 a move has the hash of its arguments',
    broken: `select attempt, 'move ' || n || ' has a hash of ' || octet_length(args_hash) || ' bytes' from moves
             where octet_length(args_hash) <> 32`,
  },
  {
    rule: 'M7 answers acknowledge riders in order, and the attempt has the highest',
    broken: `select m.attempt, 'move ' || m.n || ' acknowledges rider ' || m.acked || ' after ' || m.before from (
               select attempt, n, (answer ->> 'acked')::int as acked,
                 max((answer ->> 'acked')::int) over (partition by attempt order by n) as before from moves) m
             where m.acked is null or m.acked < m.before
             union all select a.key, 'its moves acknowledge rider ' || max((m.answer ->> 'acked')::int) || ' and it has ' || a.acked
             from attempts a join moves m on m.attempt = a.key group by a.key, a.acked
             having max((m.answer ->> 'acked')::int) > a.acked`,
  },
  {
    rule: 'M9 a number that has its answer has no execution',
    broken: `select attempt, 'move ' || n || ' has an answer and an execution' from executions join moves using (attempt, n)`,
  },
  {
    rule: 'R11.3 nothing of an ended attempt is alive',
    broken: `select e.attempt, 'move ' || e.n || ' is worked on after the end' from executions e join attempts a on a.key = e.attempt
             where a.ended_at is not null and e.finished_at is null`,
  },
  {
    rule: 'R6.2 a try is open only while its number has an execution',
    broken: `select t.attempt, 'a try of ' || t.kind || ' is open, and nobody works on it'
             from (select attempt, case purpose when 'compaction' then 'compact' else 'think' end as kind from model_tries where closed_at is null
               union all select attempt, 'act' from tool_tries where closed_at is null) t
             left join executions e on e.attempt = t.attempt and e.kind = t.kind where e.id is null`,
  },
  {
    rule: 'R1.3 the executions of a try are 1 to n, and all but the last are over',
    broken: `select attempt, 'step ' || step || ', action ' || index - 1 || ', try ' || try || ': executions' from (
               select attempt, step, 0 as index, try, execution, outcome = 'lost' as over from model_tries
               union all select attempt, step, index + 1, try, execution, closed_at is not null from tool_tries) t
             group by attempt, step, index, try
             having max(execution) <> count(*) or count(*) filter (where over is not true) > 1
                 or max(execution) filter (where over is not true) < count(*)`,
  },
  {
    rule: 'R3.1 a proposal was answered once',
    broken: `select s.attempt, 'step ' || s.step || ' has ' || count(t.execution) || ' answers' from steps s left join model_tries t
               on t.attempt = s.attempt and t.step = s.step and t.outcome = 'answered' and t.purpose = 'step'
             where s.stop ->> 'kind' <> 'compensation'
             group by s.attempt, s.step having count(t.execution) <> 1`,
  },
  {
    rule: 'R13.4 each action of a step that another follows was observed, and each of a completed attempt',
    broken: `select c.attempt, 's' || c.step || '.a' || c.index || ' has no observation' from actions c join attempts a on a.key = c.attempt
               left join observations o on o.attempt = c.attempt and o.step = c.step and o.index = c.index
             where o.attempt is null and (c.step < a.step or a.state = 'COMPLETED')`,
  },
  {
    rule: 'R13.4 each projection stands for as many steps as the one before it, or more, and for none that was not over',
    broken: `select attempt, 'projection ' || ordinal || ' stands for steps up to ' || upto_step from (
               select p.*, row_number() over w as nth, lag(upto_step, 1, 0) over w as before from projections p
               window w as (partition by attempt order by ordinal)) p
             where ordinal <> nth or upto_step < before or upto_step > 0 and upto_step >= step`,
  },
  {
    rule: 'E10 of an attempt of many hosts each snapshot that it works on is kept, and all that is needed to read it',
    broken: `with recursive chain as (
               select a.key, a.tenant, a.snapshot as wanted from attempts a
               where a.workspace_host is not null and a.start -> 'snapshot' ->> 'hosts' = 'many' and a.snapshot <> a.base_commit
               union select c.key, c.tenant, b.thin_on from chain c
               join workspace_bundles b on b.tenant = c.tenant and b.snapshot = c.wanted where b.thin_on is not null)
             select c.key, 'snapshot ' || c.wanted || ' is not kept' from chain c
               left join workspace_bundles b on b.tenant = c.tenant and b.snapshot = c.wanted
               left join artifacts s on s.tenant = b.tenant and s.hash = b.hash
             where s.hash is null`,
  },
  {
    rule: 'M8 an ended attempt has read or rejected every message',
    broken: `select i.attempt, 'message ' || i.id || ' was never disposed of' from inbox i join attempts a on a.key = i.attempt
             where i.taken_by is null and a.ended_at is not null`,
  },
  {
    rule: 'M4 a message was disposed of by one move, and each `say` that was taken is one input',
    broken: `select i.attempt, 'message ' || i.id || ' was taken by no move' from inbox i
               left join moves m on m.attempt = i.attempt and m.n = i.taken_by
               left join executions x on x.attempt = i.attempt and x.n = i.taken_by
             where (i.taken_by is null) <> (i.disposition is null) or i.taken_by is not null and m.n is null and x.n is null
             union all select i.attempt, 'message ' || i.id || ' is ' || count(p.ordinal) || ' inputs'
             from inbox i left join inputs p on p.attempt = i.attempt and p.body ->> 'messageId' = i.id
             where i.kind = 'say' group by i.attempt, i.id
             having count(p.ordinal) <> (case when bool_or(i.disposition = 'taken') then 1 else 0 end)`,
  },
  {
    rule: 'M8 an end is one event, the last but for what came too late',
    broken: `select a.key, count(e.sequence) || ' events of an end' from attempts a
               left join events e on e.attempt = a.key and e.type = 'ended' group by a.key
             having count(e.sequence) <> (case when a.ended_at is null then 0 else 1 end)
             union all select a.key, later.type || ' after the end' from attempts a
               join events e on e.attempt = a.key and e.type = 'ended'
               join events later on later.attempt = a.key and later.sequence > e.sequence
             where later.type not in ('message_rejected', 'state_moved', 'execution_lost', 'effect_conflict')`,
  },
];
