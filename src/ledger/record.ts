import type { AnsweredCall, ItemRecords, LedgerPort, ViewRows } from '../activities/ledger-port';
import { type AttemptRef, attemptId } from '../protocol/ids';
import { approvalItem, effectItem, type Query, stepsQuery } from './view';

const itemsQuery = `
  select
    (select coalesce(json_agg(json_build_object('criterion', criterion, 'met', met, 'detail', body ->> 'detail') order by criterion), '[]')
     from evidence where attempt = $1 and candidate = (select max(candidate) from evidence where attempt = $1)) as evidence,
    (select coalesce(json_agg(json_strip_nulls(json_build_object('step', c.step, 'index', c.index, 'tool', c.tool,
       'failure', case when o.ok is not false then null else json_build_array(o.failure_class, o.body ->> 'text') end)) order by c.step, c.index), '[]')
     from actions c left join observations o on o.attempt = c.attempt and o.step = c.step and o.index = c.index
     where c.attempt = $1 and c.step <= $2) as calls,
    (select coalesce(json_agg(${effectItem} order by claimed_at, step, index, generation), '[]')
     from effects where attempt = $1) as effects,
    (select coalesce(json_agg(${approvalItem} order by step, index), '[]')
     from (select distinct on (step, index) * from approvals where attempt = $1 order by step, index, ordinal desc) v) as approvals,
    (select coalesce(json_agg(json_build_object('step', c.step, 'index', c.index, 'tool', c.tool, 'args', c.args) order by c.step, c.index), '[]')
     from actions c join observations o on o.attempt = c.attempt and o.step = c.step and o.index = c.index
     where c.attempt = $1 and c.step <= $2 and o.ok and o.snapshot is not null) as writes,
    (select coalesce(json_agg(json_build_object('step', s.step,
       'callIds', (select coalesce(json_agg(call_id order by index), '[]') from actions where attempt = $1 and step = s.step),
       'observed', (select count(*) from observations where attempt = $1 and step = s.step)) order by s.step), '[]')
     from steps s where s.attempt = $1) as steps,
    (select body from projections where attempt = $1 and made_by = 'inherited' order by ordinal limit 1) as inherited`;

type Failure = NonNullable<ItemRecords['calls'][number]['failure']>;
interface ItemColumns extends Omit<ItemRecords, 'calls'> {
  readonly calls: readonly (Omit<ItemRecords['calls'][number], 'failure'> & {
    readonly failure?: readonly [Failure['class'], string];
  })[];
}

const answeredQuery = `
  select c.step, c.index, c.tool, c.args, o.body ->> 'text' as text, t.snapshot
  from actions c join observations o on o.attempt = c.attempt and o.step = c.step and o.index = c.index
    left join lateral (select snapshot from tool_tries t where t.attempt = c.attempt and t.step = c.step and t.index = c.index
      order by try desc, execution desc limit 1) t on true
  where c.attempt = $1 and c.tool = any($2) and o.ok order by c.step, c.index`;

type RecordReads = 'history' | 'input' | 'itemRows' | 'ancestor' | 'child' | 'answered' | 'firstEvent';

/** Reads of the record that no view has to hold: what was compacted away, and what is kept of it (R13.2, R13.3). */
export function createRecordReader(query: Query): Pick<LedgerPort, RecordReads> {
  return {
    async history({ key }, from, upto) {
      const text = `${stepsQuery} and s.step between $2 and $3`;
      const [row] = await query<Pick<ViewRows, 'steps'>>(text, [key, from, upto], 'history');
      return row?.steps ?? [];
    },

    async input({ key }, ordinal) {
      const text = `select kind, body ->> 'text' as text from inputs where attempt = $1 and ordinal = $2`;
      const [row] = await query<Pick<ViewRows['inputs'][number], 'kind' | 'text'>>(text, [key, ordinal], 'input');
      return row;
    },

    async itemRows({ key, id }, uptoStep) {
      const [row] = await query<ItemColumns>(itemsQuery, [key, uptoStep], 'items');
      if (!row) throw new Error(`Attempt ${id} is not in the ledger.`);
      const calls = row.calls.map(({ failure, ...call }) =>
        failure ? { ...call, failure: { class: failure[0], text: failure[1] } } : call,
      );
      return { ...row, calls };
    },

    answered: ({ key }, tools) => query<AnsweredCall>(answeredQuery, [key, tools], 'answered'),

    async firstEvent({ key }, type) {
      const text = 'select min(sequence) as sequence from events where attempt = $1 and type = $2';
      const [row] = await query<{ sequence: number | null }>(text, [key, type], 'first event');
      return row?.sequence ?? undefined;
    },

    async child({ tenant, key }, id) {
      const text = `select c.child as key from children c join attempts a on a.key = c.child
         where c.attempt = $1 and a.task || '/' || a.number = $2`;
      const [row] = await query<{ key: string }>(text, [key, id], 'child');
      const found: AttemptRef | undefined = row && { tenant, id, key: Number(row.key) };
      return found;
    },

    async ancestor({ tenant, key }, id) {
      const [row] = await query<{ key: number; task: string; number: number }>(
        `select b.key, b.task, b.number from attempts a join attempts b on b.tenant = a.tenant and b.task = a.task and b.number < a.number
         where a.key = $1 and b.task || '/' || b.number = $2
           and (b.thread = a.thread or a.start #> '{forkedFrom,ancestors}' @> to_jsonb(b.key)
             or a.start #> '{inherits,ancestors}' @> to_jsonb(b.key))`,
        [key, id],
        'ancestor',
      );
      const found: AttemptRef | undefined = row && { tenant, key: row.key, id: attemptId(row.task, row.number) };
      return found;
    },
  };
}
