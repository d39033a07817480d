import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelPort } from '../../src/activities/ports';
import { hearPreviews, type PreviewEars } from '../../src/ledger/previews/hear-previews';
import { createPreviews } from '../../src/ledger/previews/send-previews';
import type { AttemptRef } from '../../src/protocol/ids';
import type { Preview } from '../../src/protocol/preview';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { administer } from '../support/administer';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { testStack } from '../support/stack';

const within = 10_000;
let world: ActivityWorld;
let ears: PreviewEars;
beforeAll(async () => {
  world = await activityWorld({ entries: [{ from: 1, text: 'Yes.' }] });
  ears = hearPreviews(urlOf(world));
});
afterAll(async () => {
  await ears?.stop();
  await world?.close();
});
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const urlOf = ({ pool }: ActivityWorld) => String(pool.options.connectionString);
const textOf = (previews: readonly Preview[]) => previews.map(({ text }) => text).join('');

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + within; !holds(); await sleep(10)) {
    if (Date.now() > end) throw new Error('It did not come to that in time.');
  }
}

async function heard(ref: AttemptRef): Promise<Preview[]> {
  const previews: Preview[] = [];
  await ears.hear(ref, (preview) => previews.push(preview)).asked;
  return previews;
}

/** A model that says this, and gives its answer when `enough` resolves. */
function saying(models: ModelPort, deltas: readonly string[], enough: Promise<unknown>): ModelPort {
  return {
    profile: (name) => models.profile(name),
    estimate: (name, request) => models.estimate(name, request),
    async call(name, request, options) {
      for (const delta of deltas) options.onText?.(delta);
      await enough;
      return await models.call(name, request, { ...options, onText: () => undefined });
    },
  };
}

test('R10.2 the words of an answer reach a reader while the model gives them, marked as preview, and are kept nowhere', async () => {
  const ref = await world.attempt({ task: 'live' });
  const previews = await heard(ref);
  const other = await heard(await world.attempt({ task: 'other' }));
  const worker = await world.worker();
  const sentence = 'Half-a-sentence-of-4711 ';
  let enough = () => {};
  const told = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const deps = { ...worker, previews: createPreviews(world.pool), models: saying(worker.models, [sentence], told) };

  const answered = new AttemptDriver(deps, ref).think();
  await until(() => previews.length > 0);
  enough();

  expect((await answered).answer).toMatchObject({ kind: 'proposal' });
  expect(previews).toEqual([
    {
      durability: 'preview',
      attempt_id: 'live/1',
      step_id: 'live/1/s1',
      stream_id: 'live/1/s1/t1.1',
      part: 1,
      text: sentence,
    },
  ]);
  expect(other).toEqual([]);
  expect(await rowsWith('4711')).toEqual([]);
});

test('R10.2 long text comes in pieces that a notification takes, in order and whole', async () => {
  const ref = await world.attempt({ task: 'long' });
  const previews = await heard(ref);
  const text = `${'x'.repeat(20_000)}${'„ä"\\\n\u0000😀'.repeat(2_000)}`;

  createPreviews(world.pool)(ref, { step: 2, try: 1, execution: 1 }).show(text);

  await until(() => textOf(previews).length >= text.length);
  expect(textOf(previews)).toBe(text);
  expect(previews.map(({ part }) => part)).toEqual(previews.map((_, index) => index + 1));
});

test('R10.2 of an answer that is there nothing more is previewed', async () => {
  const ref = await world.attempt({ task: 'quick' });
  const previews = await heard(ref);
  const open = createPreviews(world.pool);
  const quick = open(ref, { step: 1, try: 1, execution: 1 });
  quick.show('Quick.');
  quick.end();
  open(ref, { step: 2, try: 1, execution: 1 }).show('Slow.');

  await until(() => previews.length > 0);
  expect(textOf(previews)).toBe('Slow.');
});

test('R10.2 adversarial: where more is said than the database takes, the part numbers say that text is missing', async () => {
  const ref = await world.attempt({ task: 'flood' });
  const previews = await heard(ref);
  const stream = createPreviews(world.pool)(ref, { step: 1, try: 1, execution: 1 });
  stream.show('a'.repeat(65_536));
  stream.show('b'.repeat(10));

  await until(() => textOf(previews).endsWith('b'.repeat(10)));
  expect(previews[0]?.part).toBe(2);
  expect(textOf(previews)).toHaveLength(65_536);
});

test('R10.2 adversarial: what somebody else notifies is no preview, and a lost connection is opened again', async () => {
  const ref = await world.attempt({ task: 'lost' });
  const previews = await heard(ref);
  for (const payload of ['', 'no JSON', '{"step":1}', '{"step":1,"try":1,"execution":1,"part":1,"text":7}'])
    await world.pool.query('select pg_notify($1, $2)', [`holdfast_preview_${ref.key}`, payload]);
  const { adminDatabaseUrl } = await testStack();
  const database = new URL(urlOf(world)).pathname.slice(1);
  const cut = await administer(adminDatabaseUrl, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holdfast previews' and datname = $1`,
      [database],
    ),
  );
  expect(cut.rowCount).toBe(1);

  const stream = createPreviews(world.pool)(ref, { step: 1, try: 1, execution: 1 });
  await until(() => {
    stream.show('Again.');
    return previews.length > 0;
  });
  expect(previews.every(({ text }) => text.startsWith('Again.'))).toBe(true);
});

/** Tables of the ledger that have this text in any column. */
async function rowsWith(text: string): Promise<readonly string[]> {
  const { rows: tables } = await world.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'holdfast' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await world.pool.query(
      `select from holdfast.${name} t where strpos(to_jsonb(t)::text, $1) > 0 limit 1`,
      [text],
    );
    if (rowCount) found.push(name);
  }
  expect(tables.length).toBeGreaterThan(10);
  return found;
}
