import type { AttemptInput } from '../../src/protocol/attempt';
import { messagesPerCallMax, signalsPerRunMax, updatesPerRunMax, upgradeWaitMs } from '../../src/workflows/limits';
import { receiveSignal, receiveUpdate } from '../../src/workflows/messages/receive';
import { continueIfDue } from '../../src/workflows/run/continue-as-new';
import { activeMs, openRun, type Run } from '../../src/workflows/run/run';
import { decide } from './support/decide';
import { FakeLedger } from './support/fake-ledger';
import { action, input, proposal } from './support/inputs';

/** A run that waits for its first model call, and what it would continue as new with; undefined where it goes on. */
async function fresh(change: Partial<Run['host']> = {}) {
  const decision = await decide(input(), new FakeLedger({}), []);
  let next: AttemptInput | undefined;
  const continueAsNew = (newInput: AttemptInput) => {
    next = newInput;
    return new Promise<never>(() => {});
  };
  const run: Run = { ...decision.run, host: { ...decision.run.host, continueAsNew, ...change } };
  return {
    run,
    newRun: (): AttemptInput | undefined => {
      next = undefined;
      void continueIfDue(run);
      return next;
    },
  };
}

/** All of them wake for one row, so the queue stays short. */
const wake = { messageId: 'row' };
function signals(run: Run, count: number): void {
  for (let i = 0; i < count; i += 1) receiveSignal(run, 'say', wake);
}

test('R12.4 a run is cut by the steps that it has made', async () => {
  const { run, newRun } = await fresh();
  run.stepsInRun = run.start.stepsPerRun - 1;
  expect(newRun()).toBeUndefined();
  run.stepsInRun += 1;
  expect(newRun()).toBeDefined();
});

test('R12.4 a run is cut by the signals that it has received, before Temporal refuses them', async () => {
  const { run, newRun } = await fresh();
  signals(run, signalsPerRunMax - 1);
  expect(newRun()).toBeUndefined();
  signals(run, 1);
  expect(newRun()?.carried).toMatchObject({ signals: signalsPerRunMax, wakes: ['row'] });
});

test('R12.4 a run is cut by the updates that it has received, before Temporal refuses them', async () => {
  const { run, newRun } = await fresh();
  for (let i = 1; i < updatesPerRunMax; i += 1) receiveUpdate(run, 'say', wake, `u${i}`);
  expect(newRun()).toBeUndefined();
  receiveUpdate(run, 'say', wake, 'last');
  expect(newRun()).toBeDefined();
});

test('R12.4 a run is cut where the server suggests it', async () => {
  expect((await fresh({ suggestsNewRun: () => false })).newRun()).toBeUndefined();
  expect((await fresh({ suggestsNewRun: () => true })).newRun()).toBeDefined();
});

test.each([
  ['asked', {}, (run: Run) => receiveSignal(run, 'upgrade', {})],
  ['told that another version takes new runs', { versionChanged: () => true }, () => {}],
])('R12.2 a run is cut when it is %s', async (_why, host, happens) => {
  const { run, newRun } = await fresh(host);
  expect(newRun() === undefined).toBe(Object.keys(host).length === 0);
  happens(run);
  expect(newRun()?.carried).toMatchObject({ n: run.n, signals: run.signals });
  expect(newRun()?.carried).not.toHaveProperty('messages');
});

test('R12.2 a run that began although another version takes new runs is not cut for it', async () => {
  const { run } = await fresh();
  const held = openRun({ v: 1, ref: run.ref, start: run.start }, { ...run.host, versionChanged: () => true });
  expect(continueIfDue(held)).toBeUndefined();
});

test('R12.2 a long rest is had in a run of its own, once, where the run is held to a version', async () => {
  const { run } = await fresh({ isPinned: () => true });
  const cut = (restMs: number) => continueIfDue(run, restMs) !== undefined;
  expect(run.movesInRun).toBeGreaterThan(0);
  expect([cut(0), cut(upgradeWaitMs - 1), cut(upgradeWaitMs), cut(Number.POSITIVE_INFINITY)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  run.movesInRun = 0;
  expect(cut(Number.POSITIVE_INFINITY)).toBe(false);
});

test('M4 a run that is due goes on while more is queued than one freight takes, and is cut once it fits', async () => {
  const { run, newRun } = await fresh({ suggestsNewRun: () => true });
  for (let i = 0; i <= messagesPerCallMax; i += 1) receiveSignal(run, 'say', { messageId: `row-${i}` });
  expect(newRun()).toBeUndefined();
  run.mailbox.drop([{ id: 'row-0', as: 'taken' }]);
  expect(newRun()?.carried?.wakes).toHaveLength(messagesPerCallMax);
});

test('M4 a run that is due goes on while an update waits for its answer', async () => {
  expect((await fresh({ suggestsNewRun: () => true, handlersFinished: () => false })).newRun()).toBeUndefined();
});

test('R2.4 R6.1 the run time goes on counting in the next run', async () => {
  const { run, newRun } = await fresh({ suggestsNewRun: () => true });
  run.billedMs = 40_000;
  run.since -= 20_000;
  const next = newRun();
  if (!next) throw new Error('no new run');
  expect(activeMs(openRun(next, run.host))).toBe(60_000);
});

test('R3.1 the model that answers at present goes on answering in the next run', async () => {
  const models = [
    { name: 'main', quick: true, timeoutMs: 1_000 },
    { name: 'backup', quick: true, timeoutMs: 1_000 },
  ];
  const ledger = new FakeLedger({
    think: ({ model }) =>
      model === 0
        ? { kind: 'failed', failure: { class: 'unrecoverable', code: 'UNAUTHORIZED' } }
        : proposal({ kind: 'actions' }, action(0, { quick: true })),
  });
  const { outcome } = await decide(input({ models, stepsPerRun: 1 }), ledger, []);
  if (!outcome || !('newInput' in outcome)) throw new Error('no new run');
  await decide(outcome.newInput, ledger, []);
  const asked = ledger.moves.filter(({ kind }) => kind === 'think').map(({ args }) => args);
  expect(asked.slice(0, 3)).toMatchObject([
    { step: 1, model: 0 },
    { step: 1, model: 1 },
    { step: 2, model: 1 },
  ]);
});
