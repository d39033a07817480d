import { Context } from '@temporalio/activity';
import type { Activities } from '../protocol/calls';
import { createAct } from './act';
import { createCommit } from './commit';
import { createCompact } from './compact';
import type { ActivityDeps } from './deps';
import { toFailure } from './failure-map';
import { createGiveUp } from './give-up';
import { createPrepare } from './prepare';
import { createProbe } from './probe';
import { createRecord } from './record';
import { createSettle } from './settle';
import { createThink } from './think';
import { createVerify } from './verify';
import { createVerifySealed } from './verify-sealed';

/** Six beats before the server gives the worker up (heartbeatTimeout 3 s); also how fast a cancel is heard. */
const heartbeatMs = 500;

/** The activities under the names that a history holds, as a Worker of the common queue registers them. */
export function createActivities(deps: ActivityDeps): Omit<Activities, keyof SealedActivities> {
  const think = createThink(deps);
  const compact = createCompact(deps);
  const act = createAct(deps);
  const prepare = createPrepare(deps);
  const verify = createVerify(deps);
  const probe = createProbe(deps);
  const commit = createCommit(deps);
  const record = createRecord(deps);
  const settle = createSettle(deps);
  const giveUp = createGiveUp(deps);
  return {
    think: (call) => inActivity((signal) => think(call, signal)),
    compact: (call) => inActivity((signal) => compact(call, signal)),
    act: (call) => inActivity((signal) => act(call, signal)),
    prepare: (call) => inActivity((signal) => prepare(call, signal)),
    probe: (call) => inActivity((signal) => probe(call, signal)),
    verify: (call) => inActivity((signal) => verify(call, signal)),
    commit: (call) => inActivity((signal) => commit(call, signal)),
    record: (call) => inActivity((signal) => record(call, signal)),
    settle: (call) => inActivity((signal) => settle(call, signal)),
    giveUp: (args) => inActivity(() => giveUp(args)),
  };
}

/** Those of the queue of sealed tests, which no other has (R3.4). */
export function createSealedActivities(deps: ActivityDeps): SealedActivities {
  const verifySealed = createVerifySealed(deps);
  return { verifySealed: (call) => inActivity((signal) => verifySealed(call, signal)) };
}
type SealedActivities = Pick<Activities, 'verifySealed'>;

/** Beats while the activity runs, hands it its cancellation, and maps what it throws. */
async function inActivity<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = context.info.isLocal ? undefined : setInterval(() => context.heartbeat(), heartbeatMs);
  try {
    return await run(context.cancellationSignal);
  } catch (error) {
    throw toFailure(error);
  } finally {
    clearInterval(beat);
  }
}
