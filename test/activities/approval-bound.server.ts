import type { PolicyPort } from '../../src/activities/ports';
import { failed } from '../../src/domain/failure/failed';
import { insertMessage } from '../../src/ledger/inbox';
import type { PlannedAction } from '../../src/protocol/calls';
import { actionId } from '../../src/protocol/ids';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { approvalRows, effectRows, payloads } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { testPolicy, writesAsk } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

/** What one yes lets happen, and what it does not (R5.3, E8). */

const expiresInMs = 60_000;
let version: string;
let sends: string[];
let fault: (() => void) | undefined;
let busy: boolean;
let world: ActivityWorld;

beforeAll(async () => {
  const base = testPolicy(writesAsk({ expiresInMs }));
  const policy: PolicyPort = {
    ...base,
    get version() {
      return version;
    },
  };
  const refund = tool({
    name: 'refund',
    effect: 'deduplicated',
    run: async (_args, { idempotencyKey }) => {
      sends.push(idempotencyKey);
      fault?.();
      if (busy) return failed({ class: 'tool_transient', code: 'BUSY' }, 'Not now.', 'Wait.');
      return ok('refunded');
    },
  });
  const calls = Array(2).fill({ tool: 'refund', args: { order: 1042 } });
  world = await activityWorld({ entries: [{ from: 1, calls }] }, [refund], {}, policy);
});
beforeEach(() => {
  version = 'fedcba9876543210';
  sends = [];
  fault = undefined;
  busy = false;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const idOf = (attempt: AttemptDriver, { index }: PlannedAction) => actionId(attempt.ref.id, attempt.step, index);
const statesOf = async ({ ref }: AttemptDriver) => (await approvalRows(world.pool, ref)).map(({ state }) => state);

/** An attempt whose first action was approved by ana; the same call stands behind it. */
async function approved(task: string) {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task }));
  const [first, second] = await attempt.actions();
  if (!first || !second) throw new Error('Two actions are needed.');
  expect((await attempt.act(first)).answer).toMatchObject({ kind: 'needs_approval' });
  const body = { actionId: idOf(attempt, first), by: 'ana' };
  await insertMessage(world.pool, attempt.ref, { id: `yes-${task}`, kind: 'approve', body });
  const wait = { at: 'wait', state: 'WAITING_FOR_APPROVAL', step: attempt.step, index: first.index } as const;
  expect((await attempt.record(wait)).answer).toEqual({ kind: 'go' });
  return { attempt, first, second };
}

test('R5.3 a yes under another policy is void: the same thing is asked for again, under the policy that is', async () => {
  const { attempt, first } = await approved('policy');
  version = '0123456789abcdef';

  expect((await attempt.act(first)).answer).toMatchObject({ kind: 'needs_approval' });
  expect(sends).toEqual([]);
  expect(await statesOf(attempt)).toEqual(['voided', 'open']);
  const asked = await payloads(world.pool, attempt.ref, 'approval_requested');
  expect(asked).toMatchObject([{ policy: 'fedcba9876543210' }, { policy: '0123456789abcdef' }]);
});

test('E8 a yes holds for the next try of its generation, where the other side refused the first for a moment', async () => {
  const { attempt, first } = await approved('busy');
  busy = true;
  expect((await attempt.act(first)).answer).toMatchObject({ kind: 'failed', failure: { code: 'BUSY' } });
  busy = false;

  expect((await attempt.act(first, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });
  expect(await statesOf(attempt)).toEqual(['spent']);
  expect(new Set(sends)).toEqual(new Set([`default/${idOf(attempt, first)}/g1`]));
});

test('E8 a yes is for one action: the same call once more asks once more', async () => {
  const { attempt, first, second } = await approved('once');

  expect((await attempt.act(first)).answer).toEqual({ kind: 'observed', ok: true });
  expect((await attempt.act(second)).answer).toMatchObject({ kind: 'needs_approval' });
  expect(sends).toEqual([`default/${idOf(attempt, first)}/g1`]);
  expect(await statesOf(attempt)).toEqual(['spent', 'open']);
});

test('E8 a send whose answer was lost is made again under the yes that it spent, also after that would have expired', async () => {
  const { attempt, first } = await approved('resend');
  fault = () => {
    throw new Error('connection lost');
  };
  expect((await attempt.act(first)).answer).toMatchObject({ kind: 'failed' });
  expect(await statesOf(attempt)).toEqual(['spent']);
  fault = undefined;

  const later = Date.now() + 10 * expiresInMs;
  expect((await attempt.act(first, { tryNumber: 2, now: later })).answer).toEqual({ kind: 'observed', ok: true });
  expect(new Set(sends)).toEqual(new Set([`default/${idOf(attempt, first)}/g1`]));
  expect(await statesOf(attempt)).toEqual(['spent']);
});

test('E8 R4.9 what was approved and is revoked since is not sent, and not sent again', async () => {
  const revoke = (by: string) =>
    world.pool.query(
      `insert into revocations (tenant, kind, value, reason, by_name) values ('default', 'approval', $1, 'a mistake', 'ben')`,
      [by],
    );
  const before = await approved('before');
  await revoke(idOf(before.attempt, before.first));
  expect((await before.attempt.act(before.first)).answer).toEqual({ kind: 'denied', code: 'REVOKED' });
  expect(sends).toEqual([]);

  const after = await approved('after');
  fault = () => {
    throw new Error('connection lost');
  };
  await after.attempt.act(after.first);
  fault = undefined;
  await revoke(idOf(after.attempt, after.first));
  expect((await after.attempt.act(after.first, { tryNumber: 2 })).answer).toEqual({ kind: 'unknown' });
  expect(sends).toHaveLength(1);
  expect(await effectRows(world.pool, after.attempt.ref)).toMatchObject([{ phase: 'UNKNOWN' }]);
});
