import { randomUUID } from 'node:crypto';
import type { ActivityDeps } from '../../src/activities/deps';
import { ElsewhereError } from '../../src/activities/errors';
import { toFailure } from '../../src/activities/failure-map';
import { createSettle } from '../../src/activities/settle';
import { registerWorker } from '../../src/ledger/leases';
import type { AttemptRef } from '../../src/protocol/ids';
import { lostCall } from '../../src/workflows/calls/lost-call';
import { type ActivityWorld, activityWorld, callOf } from '../support/activity-world';
import { brokenInvariants } from '../support/ledger-invariants';
import { rowsOf } from '../support/ledger-rows';

let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld({ attempts: {} });
});
afterAll(() => world.close());

const never = new AbortController().signal;

/** An attempt whose worktree is on a host with one worker, and what a worker of another host works with. */
async function onAnotherHost(task: string, hosts = 'many') {
  const ref = await world.attempt({ task });
  const host = randomUUID();
  const lease = await registerWorker(world.pool, randomUUID(), { pid: 1, pidStarted: task, workspaceHost: host });
  await world.pool.query(
    `update attempts set workspace_host = $2, start = jsonb_set(start, '{snapshot,hosts}', to_jsonb($3::text)) where key = $1`,
    [ref.key, host, hosts],
  );
  const deps: ActivityDeps = { ...(await world.worker()), host: 'here' };
  return { ref, host, lease, deps };
}
const moves = (ref: AttemptRef) => rowsOf(world.pool, ref, 'select n from moves where attempt = $1');
const hostOf = async (ref: AttemptRef) =>
  (await rowsOf<{ host: string }>(world.pool, ref, 'select workspace_host as host from attempts where key = $1'))[0]
    ?.host;
const moved = (ref: AttemptRef) =>
  rowsOf(world.pool, ref, `select payload from events where attempt = $1 and type = 'workspace_moved'`);

test('M9 a call that needs the worktree is sent back while the host that has it lives, and nothing is stored', async () => {
  const { ref, host, deps } = await onAnotherHost('lives');
  const settling = createSettle(deps)(callOf(ref, 1, {}), never);

  const error = await settling.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ElsewhereError);
  expect(lostCall(toFailure(error))).toEqual({ kind: 'elsewhere', host });
  expect(await moves(ref)).toEqual([]);
  expect(await hostOf(ref)).toBe(host);
});

test('M9 once no worker of that host has a lease, the worktree is taken over, which is told once', async () => {
  const { ref, host, lease, deps } = await onAnotherHost('gone');
  await lease.end();

  const answered = await createSettle(deps)(callOf(ref, 1, {}), never);
  expect(answered).toMatchObject({ answer: { kind: 'ended', state: 'CANCELLED' }, host: 'here' });
  expect(await hostOf(ref)).toBe('here');
  expect(await moved(ref)).toEqual([{ payload: { from: host, to: 'here', snapshot: null } }]);
  expect(await brokenInvariants(world.pool)).toEqual([]);
});

test('M1 an answer that is recorded is returned wherever it is asked for', async () => {
  const { ref, host, deps } = await onAnotherHost('answered');
  const there = await createSettle({ ...deps, host })(callOf(ref, 1, {}), never);
  expect(await createSettle(deps)(callOf(ref, 1, {}), never)).toEqual(there);
  expect(await moved(ref)).toEqual([]);
});

test('a worker of an installation of one host asks for none', async () => {
  const { ref, deps } = await onAnotherHost('one-host');
  const { host: _host, ...plain } = deps;
  expect(await createSettle(plain)(callOf(ref, 1, {}), never)).toMatchObject({ answer: { kind: 'ended' } });
});

test('M3 an attempt that was started for one host is worked on wherever it is called', async () => {
  const { ref, deps } = await onAnotherHost('started-for-one', 'one');
  expect(await createSettle(deps)(callOf(ref, 1, {}), never)).toMatchObject({ answer: { kind: 'ended' } });
});
