import { parallelActionsMax } from '../../src/domain/schedule/parallel-actions-max';
import { verifyLedger } from '../../src/ledger/verify/verify-ledger';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { observations } from '../support/ledger-rows';
import { type ReadsServer, startReadsServer } from '../support/reads-server';
import { tempFolder } from '../support/temp-folder';
import { ok, tool } from '../support/test-tools';
import { commitIn, gitIn } from '../workspace/support/sandpit';

const reads = parallelActionsMax;
const beside = { flow: 2, parallelActionsMax };

const readNotes = { tool: 'read_file', args: { path: 'notes.txt' } };
const writeNotes = { tool: 'write_file', args: { path: 'notes.txt', content: 'after' } };
const repository = tempFolder('holdfast-side-by-side-');

let world: AttemptWorld;
let outside: ReadsServer;
/** What the other side waits for before it answers. */
let holds: (path: string, underWay: number) => boolean = () => false;
beforeAll(async () => {
  gitIn(repository, 'init', '-q', '-b', 'main');
  commitIn(repository, { 'notes.txt': 'before' });
  outside = await startReadsServer((path, underWay) => holds(path, underWay));
  const fetches = (name: string, quick: boolean) =>
    tool({
      name,
      quick,
      run: async ({ path }, { signal }) => ok(await (await fetch(`${outside.url}${path}`, { signal })).text()),
    });
  const many = (name: string, repeat: number) => [{ tool: name, repeat, args: { path: `/${name}/{index}` } }];
  world = await attemptWorld({
    transcript: {
      attempts: {
        slow: { 1: { calls: many('get', reads) }, 2: { text: 'Done.' } },
        quick: { 1: { calls: many('glance', reads) }, 2: { text: 'Done.' } },
        more: { 1: { calls: many('get', 2 * reads) }, 2: { text: 'Done.' } },
        cancelled: { 1: { calls: many('get', reads) }, 2: { text: 'Done.' } },
        suspended: { 1: { calls: many('get', 3) }, 2: { text: 'Done.' } },
        writes: { 1: { calls: many('put', 8) }, 2: { text: 'Done.' } },
        files: {
          1: { calls: [readNotes, writeNotes, readNotes, { ...readNotes, args: { path: 'notes.txt', limit: 1 } }] },
          2: { text: 'Done.' },
        },
      },
    },
    tools: [
      fetches('get', false),
      fetches('glance', true),
      tool({
        name: 'put',
        effect: 'idempotent',
        quick: false,
        write: { target: () => 'box' },
        run: async ({ path }, { signal }) => ok(await (await fetch(`${outside.url}${path}`, { signal })).text()),
      }),
    ],
    workspaces: (dataDir) => createWorkspaces({ dataDir, sandbox: 'auto', env: process.env }),
  });
  await world.startWorker();
});
afterEach(async () => {
  holds = () => false;
  expect(await verifyLedger(world.pool)).toEqual([]);
});
afterAll(async () => {
  await world.close();
  await outside.stop();
});

const texts = async (ref: Parameters<typeof observations>[1]) =>
  (await observations(world.pool, ref)).sort((a, b) => a.index - b.index).map(({ text }) => text);
const asked = (path: RegExp) => outside.asked.filter((one) => path.test(one));

test.each([
  ['slow', 'get'],
  ['quick', 'glance'],
] as const)(
  `R14.2 ${reads} reads that are answered only once all of them have been asked are answered (%s)`,
  async (task, name) => {
    // One after another they would wait for each other for ever.
    let all = false;
    holds = (_path, underWay) => {
      all ||= underWay === reads;
      return !all;
    };
    const ref = await world.start({ task, snapshot: beside });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(await texts(ref)).toEqual(Array.from({ length: reads }, (_, n) => `Read /${name}/${n}.`));
  },
);

test('R14.2 more than the limit go in rounds, in the order of the proposal, and are shown in that order', async () => {
  const before = outside.asked.length;
  holds = (path, underWay) => underWay < reads && !/get\/(9|1\d)$/.test(path) && asked(/get\/8$/).length === 0;
  const ref = await world.start({ task: 'more', snapshot: beside });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(outside.most).toBe(reads);
  const numbers = outside.asked.slice(before).map((path) => Number(path.split('/').at(-1)));
  expect(Math.max(...numbers.slice(0, reads))).toBe(reads - 1);
  const request = world.model
    .requests()
    .findLast(({ attempt }) => attempt === ref.id)
    ?.body() as {
    messages: { role: string; content: string }[];
  };
  const shown = request.messages.flatMap(({ role, content }) =>
    role === 'tool' ? [Number(/get\/(\d+)/.exec(content)?.[1])] : [],
  );
  expect(shown).toEqual(Array.from({ length: 2 * reads }, (_, n) => n));
});

test('M5 a cancel stops all that are under way, and the attempt ends', async () => {
  const before = outside.asked.length;
  holds = () => true;
  const ref = await world.start({ task: 'cancelled', snapshot: beside });
  await until(() => outside.asked.length - before === reads, 'all are under way');
  await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
  expect(outside.asked.length - before).toBe(reads);
  const { rows } = await world.pool.query('select distinct outcome from tool_tries where attempt = $1', [ref.key]);
  expect(rows).toEqual([{ outcome: 'interrupted' }]);
});

test('R14.3 R9.1 what was read before a suspension is not read again after it', async () => {
  const before = outside.asked.length;
  holds = (path) => !path.endsWith('/1');
  const ref = await world.start({ task: 'suspended', snapshot: beside });
  await until(async () => (await observations(world.pool, ref)).length === 1, 'one is read');
  await until(() => outside.asked.length - before === 3, 'the others are under way');
  await world.send(ref, { kind: 'suspend', body: { by: 'ana' } });
  await world.until(ref, 'SUSPENDED');
  holds = () => false;
  await world.send(ref, { kind: 'resume', body: { by: 'ana' } });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(outside.asked.slice(before).sort()).toEqual(['/get/0', '/get/0', '/get/1', '/get/2', '/get/2']);
  expect(await texts(ref)).toEqual([0, 1, 2].map((n) => `Read /get/${n}.`));
});

test('R14.2 eight writes of one proposal to one target are made in its order, one at a time, and none is lost', async () => {
  const before = outside.asked.length;
  // A second one at the same time would be answered, and be seen to have been there.
  const together: number[] = [];
  holds = (_path, underWay) => {
    together.push(underWay);
    return false;
  };
  const ref = await world.start({ task: 'writes', snapshot: beside });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(outside.asked.slice(before)).toEqual(Array.from({ length: 8 }, (_, n) => `/put/${n}`));
  expect(Math.max(...together)).toBe(1);
  expect(await texts(ref)).toEqual(Array.from({ length: 8 }, (_, n) => `Read /put/${n}.`));
});

test('R14.2 E10 a read before a write of the workspace sees what was there, and the reads after it what was written', async () => {
  const ref = await world.start({
    task: 'files',
    snapshot: beside,
    contract: {
      tools: ['read_file', 'write_file'],
      workspace: { git: repository, ref: 'main', setup: [] },
    },
  });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  const [first, , third, fourth] = await texts(ref);
  expect(first).toContain('before');
  expect([third, fourth]).toEqual([expect.stringContaining('after'), expect.stringContaining('after')]);
});
