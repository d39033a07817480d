import type { CallAnswers } from '../../src/protocol/calls';
import type { UpdateReply } from '../../src/protocol/messages';
import { moves } from './support/decide';
import { expectAllReplay } from './support/expect-replays';
import type { FakeLedger, Script } from './support/fake-ledger';
import { action, proposal } from './support/inputs';
import { eventually, type Handle, Hang, Lab } from './support/lab';
import { inTurn } from './support/story';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open();
});
afterAll(async () => await lab.close());

type Act = CallAnswers['act'];
const hourMs = 3_600_000;
const models = [{ name: 'main', quick: true, timeoutMs: 1_000 }];
const success = { state: 'COMPLETED', reason: 'success' };
const observed: Act = { kind: 'observed', ok: true };
const denied: Act = { kind: 'denied', code: 'APPROVAL_EXPIRED' };
const two: Pick<Script, 'think'> = {
  think: ({ step }) =>
    step === 1 ? proposal({ kind: 'actions' }, action(0, { quick: true }), action(1)) : proposal({ kind: 'text' }),
};
/** Asks for an approval that expires so long after it was asked for; then goes by what became of the request. */
const approved =
  (expiresInMs: number, ledger: () => FakeLedger): Required<Script>['act'] =>
  ({ index }, { now }) => {
    if (index > 0) return observed;
    const { request } = ledger();
    if (!request) return { kind: 'needs_approval', binding: 'b'.repeat(64), expiresAt: now + expiresInMs };
    return request.state === 'granted' ? observed : denied;
  };

async function waiting(expiresInMs: number, change: object = {}) {
  let ledger: FakeLedger;
  const started = await lab.start({ ...two, act: approved(expiresInMs, () => ledger) }, { models, ...change });
  ledger = started.ledger;
  await eventually('a request', () => moves(ledger).at(-1)?.includes('record wait → none') ?? false);
  return { ...started, actionId: ledger.request?.actionId ?? '' };
}
async function details(handle: Handle): Promise<string> {
  return (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
}
const acts = (ledger: FakeLedger) => moves(ledger).filter((made) => made.includes(' act '));

test('R5.3 what the Temporal UI shows of a request is a signal that answers it', async () => {
  const { handle, ledger } = await waiting(24 * hourMs);
  const shown = await details(handle);
  const json = /signal `approve` and `(\{[^`]+\})`/.exec(shown)?.[1] ?? '';
  await handle.signal('approve', { ...JSON.parse(json), by: 'ana' });
  expect(await handle.result()).toEqual(success);
  expect(ledger.request?.state).toBe('granted');
  expect(acts(ledger)).toEqual(['2 act → needs_approval', '5 act → observed', '6 act → observed']);
});

test('R5.3 an update says whether it was taken; a wrong one changes nothing', async () => {
  const { handle, ledger, actionId } = await waiting(24 * hourMs);
  const send = (argument: object): Promise<UpdateReply> => handle.executeUpdate('deny', { args: [argument] });
  expect(await send({ actionId: `${actionId}0`, by: 'ana' })).toMatchObject({ taken: false });
  expect(await send({ by: 'ana' })).toMatchObject({ taken: false });
  expect(await send({ actionId, by: 'ana', reason: 'too much' })).toEqual({ taken: true });
  expect(await handle.result()).toEqual(success);
  expect(ledger.request?.state).toBe('denied');
});

test('R5.3 R2.4 a request that nobody answers for a day expires by itself, and the day is billed to nobody', async () => {
  const { handle, ledger } = await waiting(24 * hourMs);
  expect(await handle.result()).toEqual(success);
  expect(ledger.request?.state).toBe('expired');
  expect(acts(ledger)).toEqual(['2 act → needs_approval', '5 act → denied', '6 act → observed']);
  const { now: askedAt = 0 } = ledger.calls.find(({ kind }) => kind === 'act')?.call ?? {};
  const last = ledger.calls.at(-1)?.call;
  expect((last?.now ?? 0) - askedAt).toBeGreaterThanOrEqual(24 * hourMs);
  expect(last?.activeMs).toBeLessThan(hourMs / 60);
});

test.each([
  ['before', 5_000],
  ['after', 20_000],
])(
  'M3 R5.3 an approval that comes %s the expiry is taken or not, and the action follows the one truth',
  async (_when, atMs) => {
    const { handle, ledger, actionId } = await waiting(10_000);
    await lab.env.sleep(atMs);
    // After the expiry the attempt may have ended, and Temporal refuses the signal itself.
    await handle.signal('approve', { actionId, by: 'ana', decisionId: 'race' }).catch(() => undefined);
    expect(await handle.result()).toEqual(success);
    const taken = ledger.inbox.get('race')?.as === 'taken';
    expect(taken).toBe(atMs < 10_000);
    expect(ledger.request?.state).toBe(taken ? 'granted' : 'expired');
    expect(acts(ledger)[1]).toMatch(taken ? /act → observed$/ : /act → denied$/);
  },
);

test('R12.4 a request is answered in the run after the one that asked', async () => {
  const { handle, ledger, actionId } = await waiting(24 * hourMs, { stepsPerRun: 1 });
  await handle.signal('approve', { actionId, by: 'ana' });
  expect(await handle.result()).toEqual(success);
  expect(ledger.request?.state).toBe('granted');
  const first = await lab.env.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId).fetchHistory();
  expect(first.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId).toBeTruthy();
});

test('R4.7 an effect is looked for after 1, 2, 4, 8 and 16 s, then a person is asked, and may take days', async () => {
  const { handle, ledger } = await lab.start(
    {
      think: ({ step }) => (step === 1 ? proposal({ kind: 'actions' }, action(0)) : proposal({ kind: 'text' })),
      act: inTurn<Act>({ kind: 'unknown' }, observed),
      probe: () => ({ kind: 'probed', next: 'wait' }),
    },
    { models },
  );
  await lab.env.sleep('3 days');
  const probes = ledger.calls.filter(({ kind }) => kind === 'probe').map(({ call }) => call.now);
  expect(probes).toHaveLength(6);
  const waits = probes.slice(1).map((now, i) => now - (probes[i] ?? 0));
  for (const [i, ms] of waits.entries()) {
    expect(ms).toBeGreaterThanOrEqual(1_000 * 2 ** i);
    expect(ms).toBeLessThan(1_000 * 2 ** i * 1.25 + 5_000);
  }
  expect(await handle.query('status')).toMatchObject({ state: 'RECONCILING', reason: 'reconcile_required' });
  const looks = moves(ledger).filter((made) => made.includes('record wait')).length;
  expect(looks).toBeLessThan(3 * 24 + 20); // one an hour

  const [pending] = await handle.query<{ actionId: string }[]>('pending');
  const word = { actionId: pending?.actionId, outcome: 'committed', by: 'ana', evidence: 'Seen in the shop.' };
  expect(await handle.executeUpdate('reconcile', { args: [word] })).toEqual({ taken: true });
  expect(await handle.result()).toEqual(success);
});

test('E7 an action whose target is free again is done without anybody who says so', async () => {
  const { handle, ledger } = await lab.start(
    {
      ...two,
      act: inTurn<Act>({ kind: 'target_busy', effect: 'default/pay/1/g1' }, observed),
      record: ({ at }) => ({ kind: at === 'wait' && moves(ledger).length > 12 ? 'go' : 'none' }),
    },
    { models },
  );
  expect(await handle.result()).toEqual(success);
  expect(ledger.path).toContain('WAITING_FOR_EFFECT');
});

test('M4 the runtime alone says that an effect is settled, and only of a message that is stored', async () => {
  const { handle, ledger } = await lab.start(
    { ...two, act: inTurn<Act>({ kind: 'target_busy', effect: 'default/pay/1/g1' }, observed) },
    { models },
  );
  await eventually('the wait', () => ledger.path.includes('WAITING_FOR_EFFECT'));
  await expect(handle.executeUpdate('effectSettled', { args: [{ messageId: 'x' }] })).rejects.toThrow();
  await handle.signal('effectSettled', { effect: 'default/pay/1/g1' });
  await eventually('it is rejected', () => ledger.inbox.get('signal/1')?.as === 'rejected');
  ledger.insert({ id: 'settled', kind: 'effectSettled', body: { effect: 'default/pay/1/g1' } });
  await handle.signal('effectSettled', { messageId: 'settled' });
  expect(await handle.result()).toEqual(success);
});

test.each([true, false])(
  'M5 R9.1 a suspension breaks a tool off that runs, which is tried again after a resume (local: %p)',
  async (quick) => {
    let sent = 0;
    const { handle, ledger } = await lab.start(
      {
        think: ({ step }) =>
          step === 1 ? proposal({ kind: 'actions' }, action(0, { quick })) : proposal({ kind: 'text' }),
        act: ({ try: tryNumber }) => {
          sent += 1;
          if (tryNumber === 1) throw new Hang('still running');
          return observed;
        },
      },
      { models },
    );
    await eventually('the tool runs', () => sent === 1);
    await handle.signal('suspend', { by: 'ana' });
    await eventually('it is suspended', () => moves(ledger).at(-1)?.includes('record pause → none') ?? false);
    expect(await handle.query('status')).toMatchObject({ state: 'SUSPENDED', reason: 'suspended' });
    expect(await details(handle)).toContain('`holdfast resume');
    expect(await handle.executeUpdate('resume', { args: [{ by: 'ana' }] })).toEqual({ taken: true });
    expect(await handle.result()).toEqual(success);
    expect(acts(ledger)).toEqual(['2 act → interrupted', '5 act → observed']);
  },
);

test('M8 R11.3 a cancel waits for the effect that only a person can tell of', async () => {
  const { handle, ledger, actionId } = await waitingToCancel();
  expect(await handle.query('status')).toMatchObject({ state: 'CANCELLING' });
  expect(await details(handle)).toContain('`holdfast inbox`');
  await handle.signal('reconcile', { actionId, outcome: 'committed', by: 'ana', evidence: 'Seen in the shop.' });
  expect(await handle.result()).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
  expect(ledger.inbox.get('signal/1')?.as).toBe('taken');

  async function waitingToCancel() {
    const started = await lab.start(
      {
        think: () => proposal({ kind: 'actions' }, action(0)),
        act: () => ({ kind: 'unknown' }),
        probe: () => ({ kind: 'probed', next: 'ask' }),
        settle: () =>
          started.ledger.isOpen
            ? { kind: 'open', ask: true }
            : { kind: 'ended', state: 'CANCELLED', reason: 'cancelled_effect_committed' },
      },
      { models },
    );
    await eventually('a person is asked', () => moves(started.ledger).at(-1)?.includes('record wait') ?? false);
    const id = `${started.handle.workflowId.slice('attempt/default/'.length)}/s1.a0`;
    await started.handle.cancel();
    await eventually('it cannot end', () => moves(started.ledger).at(-1)?.includes('settle → open') ?? false);
    return { ...started, actionId: id };
  }
});

test('E9 a compensation runs as a workflow of its own', async () => {
  const compensation = {
    action: action(0, { tool: 'reverse_refund' }),
    effect: { key: 'create_refund/1042', generation: 1 },
  };
  const { handle, ledger } = await lab.start({}, { compensation, models: [] });
  expect(await handle.result()).toEqual(success);
  expect(moves(ledger)).toEqual(['1 act → observed', '2 record end → ended']);
});

test('every history of this file replays on the code here', async () => {
  expect(lab.handles.length).toBeGreaterThan(10);
  await expectAllReplay(lab);
});
