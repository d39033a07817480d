import type { LedgerRule } from './rule';

const nameOf = `'s' || p.step || '.a' || p.index || ', request ' || p.ordinal`;
const countOf = (
  answer: string,
) => `(select count(*) from approval_answers w where w.attempt = p.attempt and w.step = p.step
    and w.index = p.index and w.ordinal = p.ordinal and w.answer = '${answer}')`;

/** Approvals. */
export const approvalRules: readonly LedgerRule[] = [
  {
    rule: 'R5.5 what was granted was approved by as many as it needs, and what was denied by one who said no',
    broken: `select p.attempt, ${nameOf} || ' is ' || p.state || ' with ' || ${countOf('approve')} || ' of ' || p.needed || ' approvals'
             from approvals p
             where p.state in ('granted', 'spent') and (${countOf('approve')} < p.needed or ${countOf('deny')} > 0)
                or p.state = 'denied' and ${countOf('deny')} = 0
                or p.state = 'open' and (${countOf('approve')} >= p.needed or ${countOf('deny')} > 0)
                or (p.state = 'open') <> (p.decided_at is null)`,
  },
  {
    rule: 'R5.5 an answer that counted is of a request, and came in a message that was taken',
    broken: `select w.attempt, 'the answer of ' || w.by_name || ' to s' || w.step || '.a' || w.index || ' came in no message'
             from approval_answers w left join inbox i on i.attempt = w.attempt and i.id = w.message_id and i.disposition = 'taken'
               left join approvals p on p.attempt = w.attempt and p.step = w.step and p.index = w.index and p.ordinal = w.ordinal
             where i.id is null or p.attempt is null`,
  },
  {
    rule: 'R5.3 the requests of an action are 1 to n, and at most the last waits',
    broken: `select p.attempt, 's' || p.step || '.a' || p.index || ' has ' || count(*) || ' requests' from approvals p
             group by p.attempt, p.step, p.index
             having max(p.ordinal) <> count(*)
                 or max(p.ordinal) filter (where p.state in ('open', 'granted')) < count(*)
                 or count(*) filter (where p.state in ('open', 'granted')) > 1`,
  },
  {
    rule: 'M8 an ended attempt waits for no approval',
    broken: `select p.attempt, ${nameOf} || ' is ' || p.state || ' after the end' from approvals p join attempts a on a.key = p.attempt
             where a.ended_at is not null and p.state in ('open', 'granted')`,
  },
  {
    rule: 'E8 what was sent under an approval has spent it, and one approval is spent on one effect',
    broken: `select f.attempt, f.key || '/g' || f.generation || ' was sent under request ' || f.approval || ', which is '
               || coalesce(p.state, 'not there')
             from effects f left join approvals p
               on p.attempt = f.attempt and p.step = f.step and p.index = f.index and p.ordinal = f.approval
             where f.approval is not null and f.sent_at is not null and p.state is distinct from 'spent'
             union all select f.attempt, 's' || f.step || '.a' || f.index || ' sent ' || count(*) || ' effects under request ' || f.approval
             from effects f where f.approval is not null and f.sent_at is not null
             group by f.attempt, f.step, f.index, f.approval having count(*) > 1`,
  },
  {
    rule: 'R5.2 an action that a person denied was not sent',
    broken: `select p.attempt, ${nameOf} || ' was denied, and a try of it was sent' from approvals p
             where p.state = 'denied' and exists (select from tool_tries t
               where t.attempt = p.attempt and t.step = p.step and t.index = p.index and t.sent)`,
  },
];
