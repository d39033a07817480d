import type { AttemptRef } from '../../src/protocol/ids';
import { brokenInvariants } from '../support/ledger-invariants';
import { gitIn } from '../workspace/support/sandpit';
import { call, done, run, type WorkspaceWorld, workspaceWorld, write } from './support/workspace-world';

/** Long enough that the others are at work when the second has met the contract; a cancel ends it. */
const long = run('sleep 60');
const right = write('value.txt', 'right\n');

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld({
    'second/1': { 1: write('value.txt', 'better\n'), 2: done, 3: long },
    'second/2': { 1: right, 2: done },
    'second/3': { 1: call('read_file', { path: 'value.txt' }), 2: long },
    all: { 1: right, 2: done },
  });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function raceOf(first: AttemptRef): Promise<AttemptRef[]> {
  const task = first.id.split('/')[0];
  const { rows } = await world.pool.query('select key, number from attempts where task = $1 order by number', [task]);
  return rows.map(({ key, number }) => ({ ...first, key: Number(key), id: `${task}/${number}` }));
}
const branches = (task: string) =>
  gitIn(world.pit.repo, 'branch', '--list', `holdfast/${task}/*`)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

test('R15.1 of three attempts the one that first meets the contract is the result; the others are cancelled and publish nothing', async () => {
  const refs = await raceOf(await world.change('second', { attempts: 3 }));
  const results = await Promise.all(refs.map((ref) => world.result(ref)));

  expect(results).toEqual([
    { state: 'CANCELLED', reason: 'cancelled' },
    { state: 'COMPLETED', reason: 'success' },
    { state: 'CANCELLED', reason: 'cancelled' },
  ]);
  expect(branches('second')).toEqual(['holdfast/second/2']);
  const { rows } = await world.pool.query(
    `select attempt, body, disposition from inbox where attempt = any($1) order by attempt`,
    [refs.map(({ key }) => key)],
  );
  const body = { by: 'holdfast', reason: 'second/2 has met the contract, and is the result.' };
  expect(rows).toEqual([refs[0], refs[2]].map((ref) => ({ attempt: ref?.key, body, disposition: 'taken' })));
});

test.each(Array.from({ length: 4 }, (_, at) => at + 1))(
  'R15.1 where all meet the contract at about the same time, one is the result (%i)',
  async (at) => {
    // Each task is another, so that its attempts are; what they do is the same.
    const refs = await raceOf(await world.change('all', { attempts: 3, contract: { goal: `Pass, ${at}.` } }));
    const newest = refs.slice(-3);
    const results = await Promise.all(newest.map((ref) => world.result(ref)));
    expect(results.map(({ state }) => state).sort()).toEqual(['CANCELLED', 'CANCELLED', 'COMPLETED']);
    const won = newest[results.findIndex(({ state }) => state === 'COMPLETED')];
    expect(branches('all').filter((name) => newest.some(({ id }) => name === `holdfast/${id}`))).toEqual([
      `holdfast/${won?.id}`,
    ]);
  },
);
