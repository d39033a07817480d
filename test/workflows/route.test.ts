import { hostTaskQueue } from '../../src/protocol/ids';
import { planOf } from '../../src/workflows/calls/plan';
import { route, type Whereabouts } from '../../src/workflows/calls/route';
import { hostTakesMaxMs, hostTakesMs } from '../../src/workflows/limits';

const at = (change: Partial<Whereabouts> = {}): Whereabouts => ({
  many: true,
  host: 'one',
  before: undefined,
  notTaken: 0,
  ...change,
});
const action = { index: 0, tool: 'write_file', hash: 'a', quick: false, timeoutMs: 1_000 };
const writes = planOf({ kind: 'act', step: 1, action: { ...action, workspace: true } });
const plans = {
  writes,
  verify: planOf({ kind: 'verify', criterion: 'test' }),
  commit: planOf({ kind: 'commit' }),
  settle: planOf({ kind: 'settle' }),
};

test.each(Object.entries(plans))('M9 %s goes to the host that has the worktree, as a regular call', (_name, plan) => {
  expect(route(plan, at())).toEqual({
    ...plan,
    lane: 'regular',
    queue: hostTaskQueue('one'),
    scheduleToStartMs: hostTakesMs,
  });
});

test.each(['not_taken', 'lost', 'stopped'])('M9 after %s any host may open it', (before) => {
  expect(route(writes, at({ before }))).toEqual({ ...writes, lane: 'regular' });
});

test.each(['elsewhere', 'aborted'])('M9 after %s it goes to the host that is named', (before) => {
  expect(route(writes, at({ before, host: 'two' }))).toMatchObject({ queue: hostTaskQueue('two') });
});

test('M9 a host that lives and takes nothing is waited for twice as long each time, up to a bound', () => {
  const waits = [0, 1, 2, 20].map((notTaken) => route(writes, at({ notTaken, before: 'elsewhere' })).scheduleToStartMs);
  expect(waits).toEqual([hostTakesMs, 2 * hostTakesMs, 4 * hostTakesMs, hostTakesMaxMs]);
});

test('M9 before a host has the worktree any may make it', () => {
  const prepare = planOf({ kind: 'prepare' });
  expect(route(prepare, at({ host: undefined }))).toEqual(prepare);
});

test('M3 with one host every call is sent as it is planned, as histories have it', () => {
  for (const plan of Object.values(plans)) expect(route(plan, at({ many: false, before: 'lost' }))).toBe(plan);
});

test('M9 what needs no worktree is sent as it is planned: a record, a sealed test, a tool that works elsewhere', () => {
  const others = [
    planOf({ kind: 'record' }),
    planOf({ kind: 'verifySealed', criterion: 'final' }),
    planOf({ kind: 'act', step: 1, action }),
  ];
  for (const plan of others) expect(route(plan, at())).toBe(plan);
});

test('M9 a tool that needs the worktree only since a deploy is sent where the answer says', () => {
  const plan = planOf({ kind: 'act', step: 1, action });
  expect(route(plan, at({ before: 'elsewhere' }))).toMatchObject({ queue: hostTaskQueue('one'), lane: 'regular' });
});
