import { IllegalMove } from '../../src/domain/attempt/table';
import type { TaskKind } from '../../src/domain/contract/contract';
import type { CallAnswers, Stop } from '../../src/protocol/calls';
import { move } from '../../src/workflows/run/move';
import { deciding } from '../../src/workflows/states/deciding';
import { decide, moves } from './support/decide';
import type { Decision, Task } from './support/fake-engine';
import { FakeLedger, type Script } from './support/fake-ledger';
import { action, codeChange, done, input, proposal } from './support/inputs';
import { inTurn } from './support/story';

const quickModels = [
  { name: 'main', quick: true, timeoutMs: 1_000 },
  { name: 'backup', quick: true, timeoutMs: 1_000 },
];
const quickAction = action(0, { quick: true });

/** Runs a dialog of local calls until it waits or ends. */
async function live(script: Script, change: Parameters<typeof input>[0] = {}) {
  const ledger = new FakeLedger(script);
  const decision = await decide(input({ models: quickModels, ...change }), ledger, []);
  return { ledger, moves: moves(ledger), state: decision.run.state, decision };
}

/** Decides a code change task by task, each regular call answered by the ledger, until nothing is open; the last decision. */
async function throughRegularCalls(ledger: FakeLedger): Promise<Decision> {
  const change = input({ ...codeChange, models: quickModels });
  const tasks: Task[] = [];
  for (let decision = await decide(change, ledger, []); ; ) {
    const open = decision.open.calls[0];
    if (!open) return decision;
    tasks.push(decision.live);
    const result = { answered: open.execute(ledger) };
    decision = await decide(change, ledger, [...tasks], { kind: 'result', seq: open.seq, result });
  }
}

test.each<[Stop, TaskKind, object]>([
  [{ kind: 'text' }, 'dialog', { kind: 'VERIFYING' }],
  [{ kind: 'text' }, 'code_change', { kind: 'WAITING_FOR_USER', reason: 'turn_stopped' }],
  [done, 'dialog', { kind: 'VERIFYING' }],
  [done, 'code_change', { kind: 'VERIFYING' }],
  [{ kind: 'finish', status: 'blocked' }, 'code_change', { kind: 'WAITING_FOR_USER', reason: 'blocked' }],
  [{ kind: 'finish', status: 'refused' }, 'dialog', { kind: 'WAITING_FOR_USER', reason: 'refused' }],
  [{ kind: 'ask' }, 'dialog', { kind: 'WAITING_FOR_USER', reason: 'waiting_for_user' }],
  [{ kind: 'refusal' }, 'dialog', { kind: 'WAITING_FOR_USER', reason: 'refused' }],
  [{ kind: 'truncated' }, 'dialog', { kind: 'ASSEMBLING_CONTEXT' }],
  [{ kind: 'actions' }, 'dialog', { kind: 'ASSEMBLING_CONTEXT' }],
  [{ kind: 'text' }, 'business_action', { kind: 'WAITING_FOR_USER', reason: 'turn_stopped' }],
  [done, 'business_action', { kind: 'VERIFYING' }],
  [{ kind: 'compensation' }, 'dialog', { kind: 'VERIFYING' }],
])('R3.2 the stop %j of a %s goes on under its true name', async (stop, kind, next) => {
  const { run } = await decide(input({ kind }), new FakeLedger({}), []);
  expect(deciding(run, { kind: 'DECIDING', actions: [], stop })).toEqual(next);
  expect(deciding(run, { kind: 'DECIDING', actions: [quickAction], stop })).toMatchObject({ kind: 'EXECUTING_TOOL' });
});

test('R2.2 an illegal move is a bug, which the workflow does not survive', async () => {
  const { decision } = await live({ think: () => proposal({ kind: 'ask' }) });
  expect(() => move(decision.run, { kind: 'COMMITTING' })).toThrow(IllegalMove);
});

test('R6.3 a limit that is reached suspends, wherever it is met', async () => {
  const exceeded = { kind: 'over_budget', limit: 'maxTurns' } as const;
  const suspended = { kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'maxTurns' };
  expect((await live({ think: () => exceeded })).state).toEqual(suspended);
  expect(
    (await live({ think: () => proposal({ kind: 'actions' }, quickAction), act: () => exceeded })).state,
  ).toMatchObject(suspended);
});

test('R7.3 the last rung of the ladder ends the attempt with loop_detected', async () => {
  const { moves: made, decision } = await live({
    think: () => proposal({ kind: 'actions' }, quickAction, action(1, { quick: true })),
    act: () => ({ kind: 'observed', ok: true, loop: true }),
  });
  expect(made).toEqual(['1 think → proposal', '2 act → observed', '3 record end → ended']);
  expect(decision.outcome).toEqual({ result: { state: 'FAILED', reason: 'loop_detected' } });
});

test('M8 the workflow returns what the row says, not what it asked for', async () => {
  const ledger = new FakeLedger({ think: () => proposal({ kind: 'text' }) });
  ledger.end = { state: 'CANCELLED', reason: 'cancelled' };
  const decision = await decide(input({ models: quickModels }), ledger, []);
  expect(decision.outcome).toEqual({ result: { state: 'CANCELLED', reason: 'cancelled' } });
});

test('R3.1 a model that cannot be helped is followed by its fallback, and then by a pause', async () => {
  const unauthorised: CallAnswers['think'] = {
    kind: 'failed',
    failure: { class: 'unrecoverable', code: 'UNAUTHORIZED' },
  };
  const { state, ledger } = await live({ think: () => unauthorised });
  expect(ledger.moves.map(({ args }) => args).slice(0, 2)).toEqual([
    { step: 1, turn: 1, model: 0, try: 1 },
    { step: 1, turn: 1, model: 1, try: 2 },
  ]);
  expect(state).toEqual({ kind: 'WAITING_FOR_USER', reason: 'blocked' });
});

test('R2.4 only the states that are billed count, by the clock of the workflow', async () => {
  const { decision } = await live({ think: () => proposal({ kind: 'ask' }) });
  const { run } = decision;
  expect(run.billedMs).toBe(0);
  run.since -= 60_000;
  move(run, { kind: 'ASSEMBLING_CONTEXT' });
  expect(run.billedMs).toBe(0); // it waited for the user
  run.since -= 60_000;
  move(run, { kind: 'WAITING_FOR_MODEL', tries: 0 });
  expect(run.billedMs).toBe(60_000);
});

test('M1 a burst of local calls is ended by a timer of a millisecond', async () => {
  const { decision, ledger } = await live({ think: () => proposal({ kind: 'truncated' }) });
  expect(ledger.moves).toHaveLength(64);
  expect(decision.open).toMatchObject({ calls: [], timers: [expect.any(Number)] });
  expect([...decision.timers.values()]).toEqual([1]);
});

test('R2.3 search attributes are written at pauses and ends, where they are registered', async () => {
  const script: Script = { think: () => proposal({ kind: 'ask' }) };
  expect((await live(script)).decision.published).toEqual([]);
  expect((await live(script, { searchAttributes: true })).decision.published).toEqual(['WAITING_FOR_USER']);
});

test('R2.5 R3.4 a code change is prepared, verified by every criterion and committed, each by its own number', async () => {
  const ledger = new FakeLedger({ think: () => proposal(done) });
  const { outcome } = await throughRegularCalls(ledger);
  expect(moves(ledger)).toEqual([
    '1 prepare → ready',
    '2 think → proposal',
    '3 verify → checked',
    '4 verify → checked',
    '5 commit → committed',
    '6 record end → ended',
  ]);
  expect(outcome).toEqual({ result: { state: 'COMPLETED', reason: 'success' } });
});

test('R1.2 R2.5 a commit that a revised goal stopped goes on with the next step and turn, and what that makes is committed', async () => {
  const revised = inTurn<CallAnswers['commit']>({ kind: 'said', turn: 2 }, { kind: 'committed' });
  const ledger = new FakeLedger({ think: () => proposal(done), commit: revised });
  const { outcome } = await throughRegularCalls(ledger);
  expect(moves(ledger).slice(4)).toEqual([
    '5 commit → said',
    '6 think → proposal',
    '7 verify → checked',
    '8 verify → checked',
    '9 commit → committed',
    '10 record end → ended',
  ]);
  expect(ledger.moves[5]?.args).toMatchObject({ step: 2, turn: 2 });
  expect(outcome).toEqual({ result: { state: 'COMPLETED', reason: 'success' } });
});

test('R6.3 a goal that was revised before a commit, and no turn left: it is suspended, and asks again once one is', async () => {
  const over = inTurn<CallAnswers['commit']>({ kind: 'over_budget', limit: 'maxTurns', least: 31 });
  const ledger = new FakeLedger({ think: () => proposal(done), commit: over });
  const { run } = await throughRegularCalls(ledger);
  expect(run.state).toEqual({
    kind: 'SUSPENDED',
    reason: 'budget_exceeded',
    limit: 'maxTurns',
    least: 31,
    resume: { state: 'COMMITTING' },
  });
});

test('R3.4 M1 a repaired candidate is another one: its checks and its commit have its own number', async () => {
  const ledger = new FakeLedger({
    think: () => proposal(done),
    verify: ({ candidate }) => ({ kind: 'checked', met: candidate > 1, feedback: true }),
  });
  const { outcome } = await throughRegularCalls(ledger);
  const candidates = (kind: string) =>
    ledger.moves.filter((made) => made.kind === kind).map(({ args }) => (args as { candidate: number }).candidate);

  expect(outcome).toEqual({ result: { state: 'COMPLETED', reason: 'success' } });
  expect(candidates('verify')).toEqual([1, 1, 2, 2]);
  expect(candidates('commit')).toEqual([2]);
});
