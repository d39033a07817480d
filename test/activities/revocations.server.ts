import type { Revocation } from '../../src/activities/ledger-port';
import { revoke } from '../../src/ledger/effects/revocations';
import { insertMessage } from '../../src/ledger/inbox';
import { actionId } from '../../src/protocol/ids';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { approvalRows, effectRows } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { testPolicy } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';

/** Whatever is revoked, nothing is done with it from then on, also where the revocation comes while a write is prepared (R4.9). */

/** What can be revoked of one action, by what its kind is called here; each names something of its own, for a revocation stays. */
const revocables = ['tool', 'target', 'starter', 'credential', 'approval', 'approver'] as const;
type Revocable = (typeof revocables)[number];
const asked: readonly Revocable[] = ['approval', 'approver'];

let ran: string[];
let whilePreparing: (() => Promise<void>) | undefined;
let world: ActivityWorld;

const plain = (what: string) => `${what}-plain`;
const prepared = (what: string) => `${what}-prepared`;
function writes(what: string) {
  const made = (name: string, prepare?: (args: unknown) => Promise<unknown>) =>
    tool({
      name,
      effect: 'deduplicated',
      run: () => {
        ran.push(name);
        return ok('done');
      },
      write: { target: () => `order:${name}`, credentialDomain: `keys-of-${name}`, ...(prepare && { prepare }) },
    });
  const prepare = async (args: unknown) => {
    await whilePreparing?.();
    return args;
  };
  return [made(plain(what)), made(prepared(what), prepare)];
}
const read = tool({
  name: 'read',
  run: () => {
    ran.push('read');
    return ok('seen');
  },
});

beforeAll(async () => {
  const tools = [...[...revocables, 'nothing'].flatMap(writes), read];
  const entries = tools.map(({ name }) => ({ attempt: name, from: 1, calls: [{ tool: name, args: {} }] }));
  const policy = testPolicy(({ tool: name }) =>
    asked.some((what) => name.startsWith(`${what}-`))
      ? {
          kind: 'require_approval',
          rule: 'ask',
          terms: { approvers: [], approvals: 2, expiresInMs: 60_000, channel: 'asserted' },
        }
      : { kind: 'allow', rule: 'all' },
  );
  world = await activityWorld({ entries }, tools, {}, policy);
});
beforeEach(() => {
  ran = [];
  whilePreparing = undefined;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** An attempt at its one action, which two people approved where policy asks. */
async function ready(name: string) {
  const ref = await world.attempt({ task: name, by: `starter-of-${name}` });
  const attempt = new AttemptDriver(await world.worker(), ref);
  const [action] = await attempt.actions();
  if (!action) throw new Error('An action is needed.');
  const id = actionId(ref.id, attempt.step, action.index);
  if (asked.some((what) => name.startsWith(`${what}-`))) {
    expect((await attempt.act(action)).answer).toMatchObject({ kind: 'needs_approval' });
    for (const by of [`first-of-${name}`, `second-of-${name}`])
      await insertMessage(world.pool, ref, { id: by, kind: 'approve', body: { actionId: id, by } });
    const wait = { at: 'wait', state: 'WAITING_FOR_APPROVAL', step: attempt.step, index: action.index } as const;
    expect((await attempt.record(wait)).answer).toEqual({ kind: 'go' });
  }
  return { attempt, action, id };
}

/** Takes back what an action rests on. */
async function takeBack(what: Revocable, name: string, id: string): Promise<void> {
  const named: Record<Revocable, Pick<Revocation, 'kind' | 'value'>> = {
    tool: { kind: 'tool', value: name },
    target: { kind: 'target', value: `order:${name}` },
    starter: { kind: 'principal', value: `starter-of-${name}` },
    credential: { kind: 'credential', value: `keys-of-${name}` },
    approval: { kind: 'approval', value: id },
    approver: { kind: 'principal', value: `second-of-${name}` },
  };
  await revoke(world.pool, 'default', { ...named[what], reason: 'a mistake', by: 'ben' });
}
const told = async ({ ref }: AttemptDriver) => (await observations(world.pool, ref)).map(({ text }) => text);
const refusal = [expect.stringContaining('was revoked by ben: a mistake')];
const states = async ({ ref }: AttemptDriver) => (await approvalRows(world.pool, ref)).map(({ state }) => state);

describe('R4.9 nothing is sent any more under a revoked', () => {
  test.each(revocables)('%s', async (what) => {
    const name = plain(what);
    const { attempt, action, id } = await ready(name);
    await takeBack(what, name, id);

    expect((await attempt.act(action)).answer).toEqual({ kind: 'denied', code: 'REVOKED' });
    expect(ran).toEqual([]);
    expect(await effectRows(world.pool, attempt.ref)).toEqual([]);
    expect(await told(attempt)).toEqual(refusal);
  });
});

describe('R4.9 E8 a write that is prepared is looked at once more before it is sent, and is not under a revoked', () => {
  test.each(revocables)('%s', async (what) => {
    const name = prepared(what);
    const { attempt, action, id } = await ready(name);
    let prepares = 0;
    whilePreparing = async () => {
      prepares += 1;
      await takeBack(what, name, id);
    };

    expect((await attempt.act(action)).answer).toEqual({ kind: 'denied', code: 'REVOKED' });
    expect(prepares).toBe(1);
    expect(ran).toEqual([]);
    expect(await effectRows(world.pool, attempt.ref)).toMatchObject([
      { phase: 'NOT_COMMITTED', settled_by: 'runtime' },
    ]);
    expect(await told(attempt)).toEqual(refusal);
    expect(await states(attempt)).toEqual(asked.includes(what) ? ['granted'] : []);
  });
});

test('R4.9 a tool that only reads can be revoked too', async () => {
  const { attempt, action } = await ready('read');
  await revoke(world.pool, 'default', { kind: 'tool', value: 'read', reason: 'a mistake', by: 'ben' });
  expect((await attempt.act(action)).answer).toEqual({ kind: 'denied', code: 'REVOKED' });
  expect(ran).toEqual([]);
  expect(await told(attempt)).toEqual(refusal);
});

test('R4.9 what was revoked of others, or of another tenant, stops nothing', async () => {
  for (const kind of ['tool', 'target', 'principal', 'credential', 'approval'] as const)
    await revoke(world.pool, 'default', { kind, value: 'somebody else', reason: 'a mistake', by: 'ben' });
  for (const name of [plain('nothing'), prepared('nothing')]) {
    await revoke(world.pool, 'other', { kind: 'tool', value: name, reason: 'a mistake', by: 'ben' });
    const { attempt, action } = await ready(name);
    expect((await attempt.act(action)).answer).toEqual({ kind: 'observed', ok: true });
  }
  expect(ran).toEqual([plain('nothing'), prepared('nothing')]);
});
