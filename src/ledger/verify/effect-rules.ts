import type { LedgerRule } from './rule';

const nameOf = `f.key || '/g' || f.generation`;
/** Sends of effect `f` that nothing proves to have been none. */
const openSends = `(select count(*) from tool_tries t
    where t.attempt = f.attempt and t.step = f.step and t.index = f.index and t.sent and t.proven is not true)`;
const evidenceOf = (kind: string) => `(select count(*) from effect_evidence v
    where v.tenant = f.tenant and v.key = f.key and v.generation = f.generation and v.kind = ${kind})`;

/** The effect log. */
export const effectRules: readonly LedgerRule[] = [
  {
    rule: 'E1 the generations of a key are 1 to n, and all but the last took no effect',
    broken: `select attempt, key || '/g' || generation || ' (' || phase || ') is not the last' from (
               select f.*, row_number() over w as place, lead(generation) over w as next
               from effects f window w as (partition by tenant, key order by generation)) f
             where generation <> place or next is not null and phase <> 'NOT_COMMITTED'`,
  },
  {
    rule: 'E1 an effect is owned by an action of its tenant that is a write',
    broken: `select f.attempt, ${nameOf} || ' has no such action' from effects f left join attempts a on a.key = f.attempt
               left join actions c on c.attempt = f.attempt and c.step = f.step and c.index = f.index
             where a.tenant is distinct from f.tenant or c.tool is distinct from f.tool or c.effect is distinct from f.class
               or octet_length(f.args_hash) <> 32`,
  },
  {
    rule: 'R4.1 what may have taken effect was marked SENT, and what did has its time',
    broken: `select f.attempt, ${nameOf} || ' is ' || phase || ' without the time that belongs to it' from effects f
             where phase in ('SENT', 'UNKNOWN', 'COMMITTED', 'COMPENSATED', 'COMPENSATION_FAILED') and sent_at is null
                or phase = 'CLAIMED' and sent_at is not null
                or phase in ('COMMITTED', 'COMPENSATED', 'COMPENSATION_FAILED') and committed_at is null
                -- A late answer may have said so while the next owner's send is under way.
                or phase in ('CLAIMED', 'UNKNOWN', 'NOT_COMMITTED') and committed_at is not null`,
  },
  {
    rule: 'E4 nothing that somebody said took effect is recorded as none, unless the contradiction is',
    broken: `select f.attempt, ${nameOf} || ' is NOT_COMMITTED, and evidence says COMMITTED' from effects f
             where phase = 'NOT_COMMITTED' and ${evidenceOf("'conflict'")} = 0 and exists (select from effect_evidence v
               where v.tenant = f.tenant and v.key = f.key and v.generation = f.generation and v.body ->> 'said' = 'COMMITTED')`,
  },
  {
    rule: 'R4.1 a send is a try, and SENT was marked for each',
    broken: `select f.attempt, ${nameOf} || ' was marked SENT, and no try of its action was' from effects f
             where f.sent_at is not null and not exists (select from tool_tries t
               where t.attempt = f.attempt and t.step = f.step and t.index = f.index and t.sent)
             union all select f.attempt, ${nameOf} || ' was never marked SENT, and a try of its action was' from effects f
             where f.sent_at is null and ${openSends} > 0 and f.generation = (select max(g.generation) from effects g
               where g.attempt = f.attempt and g.step = f.step and g.index = f.index and g.key = f.key)`,
  },
  {
    rule: 'E4 what took no effect was never sent, or somebody proved it',
    broken: `select f.attempt, ${nameOf} || ' is NOT_COMMITTED by ' || coalesce(settled_by, 'nobody') || ' without a proof' from effects f
             where phase = 'NOT_COMMITTED' and sent_at is not null and case settled_by
               when 'send' then not exists (select from tool_tries t
                 where t.attempt = f.attempt and t.step = f.step and t.index = f.index and t.sent and t.proven)
               when 'runtime' then true
               else ${evidenceOf('settled_by')} = 0 end is not false`,
  },
  {
    rule: 'R4.7 what is settled says by whom, and a person, a probe and a late answer left their evidence',
    broken: `select f.attempt, ${nameOf} || ' is ' || phase || ' by ' || coalesce(settled_by, 'nobody') from effects f
             where (phase in ('CLAIMED', 'SENT', 'UNKNOWN')) <> (settled_by is null)
                or settled_by in ('late', 'probe', 'person') and ${evidenceOf('settled_by')} = 0`,
  },
  {
    rule: 'R4.6 an unsafe write was sent once, and a probed one again only where it could take no effect any more',
    broken: `select f.attempt, ${nameOf} || ' (' || class || ') was sent ' || ${openSends} || ' times' from effects f
             where class = 'unsafe' and ${openSends} > 1
                or class = 'probed' and ${openSends} > 1 + (select count(*) from effect_evidence v where v.tenant = f.tenant
                  and v.key = f.key and v.generation = f.generation and v.kind = 'probe' and v.body ->> 'found' = 'not_committed_final')`,
  },
  {
    rule: 'M8 an ended attempt has no effect that is open',
    broken: `select f.attempt, ${nameOf} || ' is ' || phase || ' after the end' from effects f join attempts a on a.key = f.attempt
             where a.ended_at is not null and f.phase in ('CLAIMED', 'SENT', 'UNKNOWN')`,
  },
  {
    rule: 'E9 what is compensated has a compensation that took effect, and what could not be has none',
    broken: `select f.attempt, ${nameOf} || ' is ' || f.phase from effects f left join effects u
               on u.tenant = f.tenant and u.key = 'compensate/' || f.tenant || '/' || ${nameOf} and u.phase = 'COMMITTED'
             where f.phase = 'COMPENSATED' and u.key is null or f.phase = 'COMPENSATION_FAILED' and u.key is not null`,
  },
  {
    rule: 'E4 evidence is of an effect that there is',
    broken: `select v.attempt, 'evidence of ' || v.key || '/g' || v.generation || ', which is no effect' from effect_evidence v
               left join effects f on f.tenant = v.tenant and f.key = v.key and f.generation = v.generation
             where f.key is null`,
  },
];
