import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ThreadEffect, ThreadPast, ThreadWord } from '../domain/context/thread-memory';
import type { BodyRow } from './queries/body-text';

interface WordRow {
  readonly by: ThreadWord['by'];
  readonly body: BodyRow;
  /** The last call of an answer: a turn may end with a question or with `finish`. */
  readonly args: BodyRow | null;
}

/** Part of a Thread: up to a place in one of its attempts, or all of it. */
interface Part {
  readonly thread: number;
  readonly until?: { readonly attempt: number; readonly step: number; readonly input: number };
}

// `$1` the Thread, `$2` the attempt that the part ends in, with `$3` its step and `$4` its input; null for the whole Thread.
const inPart = (place: string) => `a.thread = $1 and ($2::bigint is null or a.key < $2 or (a.key = $2 and ${place}))`;
const firstMessage = `(select min(ordinal) from inputs where attempt = a.key and kind = 'message' and body ->> 'thread' is null)`;

// Of each turn, its last step answers. A message is shown after the step whose number it has. A fork begins with a message that was
// said in the attempt that it comes from.
const wordsQuery = `
  select 'user' as by, i.body, null::jsonb as args, a.key, i.after_step as step, 1 as place, i.ordinal
  from attempts a join inputs i on i.attempt = a.key
  where ${inPart('i.ordinal <= $4')} and i.kind = 'message' and i.body ->> 'thread' is null
    and (a.start #> '{forkedFrom,upto}' is null or i.ordinal > ${firstMessage})
  union all
  select 'model', s.body, (select c.args from actions c where c.attempt = s.attempt and c.step = s.step order by c.index desc limit 1),
    s.attempt, s.step, 0, 0
  from attempts a join lateral (select distinct on (turn) attempt, step, body from steps
    where attempt = a.key and ($2::bigint is null or attempt < $2 or step <= $3) order by turn, step desc) s on true
  where ${inPart('true')}
  order by key, step, place, ordinal`;

/** Also what was done after the place where a part ends: it stands. */
const effectsQuery = `
  select f.tool, f.target, f.phase, f.downstream_id as "downstreamId", f.outcome, c.args
  from attempts a join effects f on f.attempt = a.key
    left join actions c on c.attempt = f.attempt and c.step = f.step and c.index = f.index
  where a.thread = $1 and ($2::bigint is null or a.key <= $2)
    and f.phase in ('SENT', 'UNKNOWN', 'COMMITTED', 'COMPENSATED', 'COMPENSATION_FAILED')
  order by a.key, f.step, f.index, f.generation`;
type EffectRow = Omit<ThreadEffect, 'args'> & { readonly args: BodyRow | null };

/** What a Thread whose first attempt was forked goes on from. */
const originQuery = `
  select o.thread, o.key as attempt, (f.upto ->> 'step')::int as step, (f.upto ->> 'input')::int as input
  from (select start #> '{forkedFrom,upto}' as upto, (start #>> '{forkedFrom,ancestors,-1}')::bigint as origin
      from attempts where thread = $1 order by key limit 1) f
    join attempts o on o.key = f.origin
  where f.upto is not null`;
interface OriginRow {
  readonly thread: number;
  readonly attempt: number;
  readonly step: number;
  readonly input: number;
}

/** All that was said in a Thread, in order, without what lay between, and what was done outside; of a fork also what it comes from. */
export async function threadPast(client: PoolClient, thread: number): Promise<ThreadPast> {
  const parts = await partsOf(client, thread);
  const words: ThreadWord[] = [];
  const effects: ThreadEffect[] = [];
  for (const { thread: key, until } of parts) {
    const values = [key, until?.attempt ?? null];
    const said = await client.query<WordRow>(wordsQuery, [...values, until?.step ?? null, until?.input ?? null]);
    words.push(...said.rows.map(({ by, body, args }) => ({ by, text: textOf(body) || saidInCall(args) })));
    const done = await client.query<EffectRow>(effectsQuery, values);
    effects.push(...done.rows.map(({ args, ...effect }) => ({ ...effect, args: args === null ? '' : textOf(args) })));
  }
  return { words: words.filter(({ text }) => text !== ''), effects };
}

/** The oldest first. An attempt is forked from one that was there before, so this ends. */
async function partsOf(client: PoolClient, thread: number): Promise<readonly Part[]> {
  const parts: Part[] = [{ thread }];
  for (let first = thread; ; ) {
    const { rows } = await client.query<OriginRow>(originQuery, [first]);
    const [origin] = rows;
    if (!origin) return parts;
    const { thread: before, ...until } = origin;
    parts.unshift({ thread: before, until });
    first = before;
  }
}

/** Long texts are in the object store, which the model can read and this cannot. */
function textOf(body: BodyRow): string {
  if ('text' in body) return body.text;
  return `[${body.bytes} bytes; read them with read_artifact {"hash":"${body.hash}"}]`;
}

const saying = z.union([
  z.object({ question: z.string() }).transform(({ question }) => question),
  z.object({ summary: z.string() }).transform(({ summary }) => summary),
]);

function saidInCall(args: BodyRow | null): string {
  if (args === null || !('text' in args)) return '';
  try {
    return saying.safeParse(JSON.parse(args.text)).data ?? '';
  } catch {
    return ''; // as the model wrote them, which need not be JSON
  }
}
