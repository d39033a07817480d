import type { CallAnswers } from '../../src/protocol/calls';
import { attemptHistories } from '../../src/temporal/histories';
import { until } from '../support/gate';
import { moves } from './support/decide';
import { expectReplays } from './support/expect-replays';
import type { FakeLedger, Script } from './support/fake-ledger';
import { action, proposal } from './support/inputs';
import { eventually, type Handle, Lab } from './support/lab';
import { inTurn } from './support/story';

/**
 * A quarter of a year in each pause, on the server that skips time. Signals come one at a time, each when the one before has
 * done what it does: that server loses a task where a signal meets the end of a run.
 */

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open();
});
afterAll(async () => await lab.close());

type Act = CallAnswers['act'];
const dayMs = 86_400_000;
const models = [{ name: 'main', quick: true, timeoutMs: 1_000 }];
const success = { state: 'COMPLETED', reason: 'success' };
const observed: Act = { kind: 'observed', ok: true };
/** One action, then the last word. */
const one: Pick<Script, 'think'> = {
  think: ({ step }) => (step === 1 ? proposal({ kind: 'actions' }, action(0)) : proposal({ kind: 'text' })),
};
const looks = (ledger: FakeLedger) => moves(ledger).filter((made) => / record (wait|pause) → none$/.test(made)).length;
const rests = (ledger: FakeLedger) =>
  eventually('it rests', () => / record (wait|pause) → none$/.test(moves(ledger).at(-1) ?? ''));

const ref = ({ workflowId }: Handle) => ({
  tenant: 'default',
  id: workflowId.slice('attempt/default/'.length),
  key: 1,
});
const runs = (handle: Handle) => attemptHistories(lab.env.client, ref(handle));

/** Ninety days, in the middle of which it is woken for nothing, and begins anew where somebody asks it to. */
async function aQuarter(handle: Handle, ledger: FakeLedger): Promise<void> {
  await lab.env.sleep('30 days');
  const before = ledger.inbox.size;
  await handle.signal('wave', {});
  await until(() => [...ledger.inbox.values()].filter(({ as }) => as === 'rejected').length > before, 'it is rejected');
  await lab.env.sleep('30 days');
  const { length } = await runs(handle);
  await handle.signal('upgrade', {});
  await until(async () => (await runs(handle)).length === length + 1, 'it begins anew');
  await lab.env.sleep('30 days');
}

/** The wait was long, billed to nobody, and left short histories that the code here replays. */
async function expectCheap(handle: Handle, ledger: FakeLedger, eventsMax: number): Promise<void> {
  const times = ledger.calls.map(({ call }) => call.now);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(90 * dayMs);
  expect(ledger.calls.at(-1)?.call.activeMs).toBeLessThan(60_000);
  const histories = await runs(handle);
  for (const { history } of histories) expect(history.events?.length).toBeLessThan(eventsMax);
  await expectReplays(
    lab,
    histories.map(({ history }) => ({ workflowId: handle.workflowId, history })),
  );
}

test('R12.4 R5.3 an approval is given after ninety days', async () => {
  let ledger: FakeLedger | undefined;
  const ask: Act = { kind: 'needs_approval', binding: 'b'.repeat(64), expiresAt: Date.now() + 1_000 * dayMs };
  const started = await lab.start({ ...one, act: () => (ledger?.request ? observed : ask) }, { models });
  ledger = started.ledger;
  await rests(ledger);
  await aQuarter(started.handle, ledger);
  expect(looks(ledger)).toBe(3);
  await started.handle.signal('approve', { actionId: ledger.request?.actionId, by: 'ana' });
  expect(await started.handle.result()).toEqual(success);
  expect(ledger.request?.state).toBe('granted');
  expect([...ledger.inbox.keys()]).toEqual(['signal/1', 'signal/3']); // the second was no message
  await expectCheap(started.handle, ledger, 60);
});

test('R12.4 R1.2 a question is answered after ninety days', async () => {
  const { handle, ledger } = await lab.start(
    { think: ({ turn }) => (turn === 1 ? proposal({ kind: 'ask' }) : proposal({ kind: 'text' })) },
    { models },
  );
  await rests(ledger);
  await aQuarter(handle, ledger);
  expect(looks(ledger)).toBe(3);
  expect(await handle.executeUpdate('say', { args: [{ text: 'The left one.', by: 'ana' }] })).toEqual({ taken: true });
  expect(await handle.result()).toEqual(success);
  await expectCheap(handle, ledger, 60);
});

test('R12.4 R9.1 what is suspended goes on after ninety days from where it was', async () => {
  const { handle, ledger } = await lab.start(
    { ...one, act: inTurn<Act>({ kind: 'over_budget', limit: 'maxToolCalls' }, observed) },
    { models },
  );
  await rests(ledger);
  await aQuarter(handle, ledger);
  expect(await handle.query('status')).toMatchObject({ state: 'SUSPENDED', reason: 'budget_exceeded', step: 1 });
  expect(await handle.executeUpdate('resume', { args: [{ by: 'ana', budget: { maxToolCalls: 9 } }] })).toEqual({
    taken: true,
  });
  expect(await handle.result()).toEqual(success);
  expect(ledger.moves.filter(({ kind }) => kind === 'act').map(({ args }) => args)).toEqual([
    { step: 1, index: 0, hash: 'hash0', try: 1 },
    { step: 1, index: 0, hash: 'hash0', try: 1 },
  ]);
  await expectCheap(handle, ledger, 60);
});

test('R12.4 R4.7 of an unknown effect somebody says after ninety days what became of it', async () => {
  const { handle, ledger } = await lab.start(
    { ...one, act: inTurn<Act>({ kind: 'unknown' }, observed), probe: () => ({ kind: 'probed', next: 'ask' }) },
    { models },
  );
  await rests(ledger);
  await aQuarter(handle, ledger);
  expect(looks(ledger)).toBeLessThan(91 * 24);
  const [pending] = await handle.query<{ actionId: string }[]>('pending');
  const word = { actionId: pending?.actionId, outcome: 'committed', by: 'ana', evidence: 'Seen in the shop.' };
  expect(await handle.executeUpdate('reconcile', { args: [word] })).toEqual({ taken: true });
  expect(await handle.result()).toEqual(success);
  await expectCheap(handle, ledger, 20_000);
});
