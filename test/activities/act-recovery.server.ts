import { createAct } from '../../src/activities/act';
import type { LedgerPort } from '../../src/activities/ledger-port';
import type { ProbeResult } from '../../src/activities/ports';
import { createProbe } from '../../src/activities/probe';
import { failed } from '../../src/domain/failure/failed';
import type { Decision, PolicyFacts } from '../../src/domain/policy/policy';
import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { agePast } from '../support/effect-rows';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, observations } from '../support/ledger-rows';
import { testPolicy } from '../support/test-policy';
import { ok, type RunContext, tool } from '../support/test-tools';

/** What becomes of a write whose worker fell silent, by class and by what the other side says (E3–E6, R4.9). */

let sends: string[];
let gate: Gate | undefined;
let probed: ProbeResult;
let answerLater: 'refuses' | 'throws' | undefined;
let decide: (facts: PolicyFacts) => Decision;
let world: ActivityWorld;

async function send(args: Record<string, unknown>, { idempotencyKey, signal }: RunContext) {
  const late = sends.push(idempotencyKey) > 1;
  await gate?.pass(signal);
  if (late && answerLater === 'throws') throw new Error('connection lost');
  if (late && answerLater === 'refuses')
    return failed({ class: 'tool_business', code: 'ALREADY_DONE' }, 'It was done before.', 'Nothing.');
  return ok(`done ${String(args['order'])}`);
}
const write = { businessKey: (args: { order?: string }) => args.order };
const classes = ['idempotent', 'deduplicated', 'probed', 'unsafe'] as const;
const tools = [
  ...classes.map((effect) => tool({ name: effect, effect, run: send, probe: () => probed, write, timeoutMs: 1_000 })),
  tool({ name: 'final', effect: 'deduplicated', run: send, write: { ...write, rejectionIsFinalForKey: true } }),
  tool({ name: 'look', run: () => ok('seen') }),
  tool({ name: 'prepared', effect: 'deduplicated', run: send, write: { ...write, prepare: async (args) => args } }),
];

beforeAll(async () => {
  const entries = tools.map(({ name }) => ({
    attempt: name,
    from: 1,
    calls: [{ tool: name, args: { order: `{attempt}` } }],
  }));
  world = await activityWorld(
    { entries },
    tools,
    {},
    testPolicy((facts) => decide(facts)),
  );
});
beforeEach(() => {
  sends = [];
  gate = undefined;
  probed = { kind: 'unknown' };
  answerLater = undefined;
  decide = () => ({ kind: 'allow', rule: 'all' });
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(name: string) {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task: name }));
  const [first] = await attempt.actions();
  if (!first) throw new Error('An action is needed.');
  return { attempt, first };
}

/** The action was sent, and its worker fell silent before it could say what came of it. */
async function silent(name: string) {
  const { attempt, first } = await begin(name);
  gate = new Gate();
  const running = attempt.act(first);
  await gate.reached(1);
  await world.pool.query(`update workers set renewed_at = clock_timestamp() - interval '4 s'`);
  const held = gate;
  gate = undefined;
  return { attempt: attempt.on(await world.worker()), first, running, wake: () => held.open() };
}

const effectOf = async ({ ref }: AttemptDriver) =>
  (await world.pool.query('select phase, fence, settled_by, resend from effects where attempt = $1', [ref.key]))
    .rows[0];

const probe = (attempt: AttemptDriver, round = 1) =>
  createProbe(attempt.worker)(
    callOf<'probe'>(attempt.ref, ++attempt.n, { step: attempt.step, index: 0, round }),
    never,
  );

test.each(['idempotent', 'deduplicated'])(
  'E5 a %s write of a silent worker is sent again under the same key, by the next owner alone',
  async (name) => {
    const { attempt, first, running, wake } = await silent(name);

    expect((await attempt.actRepeated(first)).answer).toEqual({ kind: 'observed', ok: true });
    wake();

    expect((await running).answer).toEqual({ kind: 'observed', ok: true });
    expect(new Set(sends).size).toBe(1);
    expect(sends).toHaveLength(2);
    expect(await effectOf(attempt)).toMatchObject({ phase: 'COMMITTED', fence: 2, settled_by: 'send' });
    expect(await observations(world.pool, attempt.ref)).toHaveLength(1);
  },
);

test.each(['probed', 'unsafe'])(
  'E5 a %s write of a silent worker is unknown, and its late answer settles it',
  async (name) => {
    const { attempt, first, running, wake } = await silent(name);

    expect((await attempt.actRepeated(first)).answer).toEqual({ kind: 'unknown' });
    expect(await effectOf(attempt)).toMatchObject({ phase: 'UNKNOWN', fence: 1 });
    wake();
    await running;

    expect(await effectOf(attempt)).toMatchObject({ phase: 'COMMITTED', settled_by: 'late' });
    expect((await attempt.act(first, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });
    expect(sends).toHaveLength(1);
  },
);

test('E6 a probe that finds the effect settles it, and the action has its outcome', async () => {
  const { attempt, first, running, wake } = await silent('probed');
  await attempt.actRepeated(first);
  probed = { kind: 'committed', output: 'found it', downstreamId: 'x-1' };

  expect((await probe(attempt)).answer).toEqual({ kind: 'probed', next: 'act' });
  expect((await attempt.act(first, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });

  expect(await effectOf(attempt)).toMatchObject({ phase: 'COMMITTED', settled_by: 'probe' });
  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ text: 'found it' }]);
  expect(sends).toHaveLength(1);
  wake();
  await running;
});

test.each([['not_found'], ['unknown']] as const)('E6 a probe that answers %s permits nothing', async (kind) => {
  const { attempt, first, running, wake } = await silent('probed');
  await attempt.actRepeated(first);
  probed = { kind };

  expect((await probe(attempt)).answer).toEqual({ kind: 'probed', next: 'wait' });
  expect((await attempt.act(first, { tryNumber: 2 })).answer).toEqual({ kind: 'unknown' });
  expect(sends).toHaveLength(1);
  wake();
  await running;
});

test('E6 "can take effect no more" is believed once the send can no longer be under way, and permits a resend', async () => {
  const { attempt, first, running, wake } = await silent('probed');
  await attempt.actRepeated(first);
  probed = { kind: 'not_committed_final' };

  expect((await probe(attempt)).answer).toEqual({ kind: 'probed', next: 'wait' });
  await agePast(world.pool, attempt.ref, 60_000);
  expect((await probe(attempt, 2)).answer).toEqual({ kind: 'probed', next: 'act' });
  expect((await attempt.act(first, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });

  expect(sends).toHaveLength(2);
  expect(await effectOf(attempt)).toMatchObject({ phase: 'COMMITTED', fence: 2, resend: false });
  wake();
  await running;
});

test("E4 an answer that contradicts a person's word is told to people, and nothing is done a second time", async () => {
  const { attempt, first, running, wake } = await silent('unsafe');
  await attempt.actRepeated(first);
  await agePast(world.pool, attempt.ref, 60_000);
  const body = {
    actionId: `${attempt.ref.id}/s1.a0`,
    outcome: 'not_committed',
    by: 'ana',
    evidence: 'Looked.',
  } as const;
  await insertMessage(world.pool, attempt.ref, { id: 'word', kind: 'reconcile', body });
  expect((await attempt.record({ at: 'wait', state: 'RECONCILING', step: 1, index: 0 })).answer).toEqual({
    kind: 'go',
  });
  expect((await attempt.act(first, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: false });
  wake();
  await running;

  expect(await effectOf(attempt)).toMatchObject({ phase: 'COMMITTED', settled_by: 'late' });
  expect(await eventTypes(world.pool, attempt.ref)).toContain('effect_conflict');
  expect((await attempt.stepWithOneAction()).answer).toEqual({ kind: 'observed', ok: true });
  expect(sends).toHaveLength(1);
});

test('R5.2 calls in an hour are counted for reads too', async () => {
  decide = () => ({ kind: 'constrained_allow', rule: 'few', constraints: [{ kind: 'callsPerHour', max: 2 }] });
  const { attempt, first } = await begin('look');
  expect((await attempt.act(first)).answer).toEqual({ kind: 'observed', ok: true });
  expect((await attempt.stepWithOneAction()).answer).toEqual({ kind: 'observed', ok: true });

  expect((await attempt.stepWithOneAction()).answer).toEqual({ kind: 'denied', code: 'CONSTRAINT_VIOLATED' });
});

test('R4.7 an unsafe write that nobody can tell of is put to a person, and a deduplicated one is asked by a resend', async () => {
  const unsafe = await silent('unsafe');
  await unsafe.attempt.actRepeated(unsafe.first);
  expect((await probe(unsafe.attempt)).answer).toEqual({ kind: 'probed', next: 'ask' });

  const deduplicated = await silent('deduplicated');
  decide = () => ({ kind: 'deny', rule: 'no', reason: 'Not today.' });
  await deduplicated.attempt.actRepeated(deduplicated.first);
  expect((await probe(deduplicated.attempt)).answer).toEqual({ kind: 'probed', next: 'act' });
  for (const { wake, running } of [unsafe, deduplicated]) {
    wake();
    await running;
  }
});

test('E4 a recovery that policy forbids leaves the row unknown', async () => {
  const { attempt, first, running, wake } = await silent('deduplicated');
  decide = () => ({ kind: 'deny', rule: 'no', reason: 'Not today.' });

  expect((await attempt.actRepeated(first)).answer).toEqual({ kind: 'unknown' });
  expect(await effectOf(attempt)).toMatchObject({ phase: 'UNKNOWN', fence: 1 });
  expect(sends).toHaveLength(1);
  wake();
  await running;
});

test('R4.9 a tool that was revoked is not sent, and not sent again', async () => {
  const revoke = (value: string) =>
    world.pool.query(
      `insert into revocations (tenant, kind, value, reason, by_name) values ('default', 'tool', $1, 'broken', 'ana')`,
      [value],
    );
  const { attempt, first, running, wake } = await silent('idempotent');
  await revoke('idempotent');
  expect((await attempt.actRepeated(first)).answer).toEqual({ kind: 'unknown' });
  wake();
  await running;

  const other = await begin('idempotent');
  expect((await other.attempt.act(other.first)).answer).toEqual({ kind: 'denied', code: 'REVOKED' });
  expect(sends).toHaveLength(1);
  expect(await observations(world.pool, other.attempt.ref)).toMatchObject([{ code: 'REVOKED' }]);
});

test('E3 a write whose SENT was acknowledged too late is not sent, and says so', async () => {
  const { attempt, first } = await begin('prepared');
  const { ledger } = attempt.worker;
  let transactions = 0;
  const slow: LedgerPort = {
    ...ledger,
    async transact(ref, scope, work) {
      transactions += 1;
      const result = await ledger.transact(ref, scope, work);
      // The process is held up after the commit that marks SENT.
      if (transactions === 2) await new Promise((resolve) => setTimeout(resolve, 1_100));
      return result;
    },
  };

  const call = attempt.actCall(first, ++attempt.n);
  expect((await createAct({ ...attempt.worker, ledger: slow })(call, never)).answer).toEqual({
    kind: 'failed',
    failure: { class: 'tool_transient', code: 'SEND_WINDOW_MISSED' },
  });
  expect(sends).toEqual([]);
  expect(await effectOf(attempt)).toMatchObject({ phase: 'CLAIMED' });

  expect((await attempt.act(first, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });
  expect(sends).toHaveLength(1);
});
