import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ThreadWord } from '../domain/context/thread-memory';
import type { BodyRow } from './queries/body-text';

interface WordRow {
  readonly by: ThreadWord['by'];
  readonly body: BodyRow;
  /** The last call of an answer: a turn may end with a question or with `finish`. */
  readonly args: BodyRow | null;
}

// Of each turn, its last step answers. A message is shown after the step whose number it has.
const wordsQuery = `
  select 'user' as by, i.body, null::jsonb as args, a.key, i.after_step as step, 1 as place, i.ordinal
  from attempts a join inputs i on i.attempt = a.key
  where a.thread = $1 and i.kind = 'message' and i.body ->> 'thread' is null
  union all
  select 'model', s.body, (select c.args from actions c where c.attempt = s.attempt and c.step = s.step order by c.index desc limit 1),
    s.attempt, s.step, 0, 0
  from attempts a join lateral (select distinct on (turn) attempt, step, body from steps where attempt = a.key order by turn, step desc) s on true
  where a.thread = $1
  order by key, step, place, ordinal`;

/** All that was said in a Thread, in order, without what lay between. */
export async function threadWords(client: PoolClient, thread: number): Promise<readonly ThreadWord[]> {
  const { rows } = await client.query<WordRow>(wordsQuery, [thread]);
  return rows
    .map(({ by, body, args }) => ({ by, text: textOf(body) || saidInCall(args) }))
    .filter(({ text }) => text !== '');
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
