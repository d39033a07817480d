import type { StartSnapshot } from '../../src/protocol/attempt';
import type { CallAnswers } from '../../src/protocol/calls';
import { decide, signal } from './support/decide';
import { cancelledFailure } from './support/fake-engine';
import { FakeLedger, type Script } from './support/fake-ledger';
import { action, codeChange, done, input, proposal } from './support/inputs';
import { inTurn, Story } from './support/story';

type Act = CallAnswers['act'];
const quick = (index: number) => action(index, { quick: true });
const observed: Act = { kind: 'observed', ok: true };
const stopped = { kind: 'interrupted', suspend: true } as const;
const suspend = signal('suspend', { by: 'ana' });
const resume = signal('resume', { by: 'ana' });
const two: Pick<Script, 'think'> = {
  think: ({ step }) => (step === 1 ? proposal({ kind: 'actions' }, quick(0), quick(1)) : proposal({ kind: 'text' })),
};
const indexes = (story: Story) => story.argsOf('act').map((args) => (args as { index: number }).index);

test('R9.1 an attempt that is suspended between two actions goes on with the second, and runs none twice', async () => {
  const story = await Story.of({ ...two, act: inTurn<Act>(observed, stopped, observed) });
  expect(story.state).toMatchObject({
    kind: 'SUSPENDED',
    reason: 'suspended',
    resume: { state: 'EXECUTING_TOOL', batch: { actions: [{ index: 1 }], tries: 1 } },
  });
  expect(story.argsOf('record').at(-1)).toMatchObject({ at: 'pause', keepsBatch: true });
  await story.next(resume);
  expect(indexes(story)).toEqual([0, 1, 1]);
  expect(story.argsOf('act')).toMatchObject([{ try: 1 }, { try: 1 }, { try: 2 }]);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R9.1 what is said to a suspended attempt wakes nothing, and is there when it goes on', async () => {
  const story = await Story.of({ ...two, act: inTurn<Act>(stopped, observed) });
  await story.next(signal('say', { text: 'Still there?' }));
  expect(story.state.kind).toBe('SUSPENDED');
  expect(story.ledger.inbox.get('signal/1')?.as).toBe('taken');
  await story.next(suspend);
  expect(story.ledger.inbox.get('signal/2')?.as).toBe('rejected');
  await story.next(resume);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R9.1 a model call that was broken off is made anew as the next step', async () => {
  const story = await Story.of({ think: inTurn<CallAnswers['think']>(stopped, proposal({ kind: 'text' })) });
  expect(story.state).toEqual({ kind: 'SUSPENDED', reason: 'suspended' });
  expect(story.argsOf('record').at(-1)).toEqual({ at: 'pause', state: 'SUSPENDED', reason: 'suspended' });
  await story.next(resume);
  expect(story.argsOf('think')).toMatchObject([
    { step: 1, turn: 1 },
    { step: 2, turn: 1 },
  ]);
});

test('R3.1 the preferred model is asked again after a resume', async () => {
  const models = ['main', 'backup'].map((name) => ({ name, quick: true, timeoutMs: 1_000 }));
  const unauthorised: CallAnswers['think'] = {
    kind: 'failed',
    failure: { class: 'unrecoverable', code: 'UNAUTHORIZED' },
  };
  const think = inTurn<CallAnswers['think']>(unauthorised, stopped, proposal({ kind: 'text' }));
  const story = await Story.of({ think }, { models });
  await story.next(resume);
  expect(story.argsOf('think')).toMatchObject([{ model: 0 }, { model: 1 }, { model: 0 }]);
});

test('R9.1 a workspace that was not made is made after a resume', async () => {
  const change = { ...codeChange, models: [{ name: 'main', quick: true, timeoutMs: 1_000 }] };
  const story = await Story.of(
    { prepare: inTurn<CallAnswers['prepare']>(stopped, { kind: 'ready', snapshot: 's' }) },
    change,
  );
  await story.answer();
  expect(story.state).toEqual({ kind: 'SUSPENDED', reason: 'suspended' });
  await story.next(resume);
  expect(story.state.kind).toBe('CREATED');
  await story.answer();
  expect(story.argsOf('prepare')).toHaveLength(2);
  expect(story.moves.at(-1)).toContain('think');
});

test('R9.1 a suspended check is made again, as that of another candidate', async () => {
  const story = await Story.of(
    {
      think: () => proposal(done),
      verify: inTurn<CallAnswers['verify']>(stopped, { kind: 'checked', met: true, feedback: true }),
    },
    { criteria: ['answered'] },
  );
  await story.answer();
  expect(story.state).toMatchObject({ kind: 'SUSPENDED', resume: { state: 'VERIFYING' } });
  await (await story.next(resume)).answer();
  expect(story.argsOf('verify')).toMatchObject([{ candidate: 1 }, { candidate: 2 }]);
  expect(story.argsOf('think')).toHaveLength(1);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R6.3 a repair that the budget does not pay for is made once the limit is raised', async () => {
  const over = { kind: 'over_budget', limit: 'maxRepairs' } as const;
  const records = inTurn<CallAnswers['record']>(over, { kind: 'none' }, { kind: 'repair' });
  const story = await Story.of(
    { think: () => proposal(done), verify: () => ({ kind: 'checked', met: false, feedback: true }), record: records },
    { criteria: ['answered'] },
  );
  await story.answer();
  expect(story.state).toMatchObject({ kind: 'SUSPENDED', limit: 'maxRepairs', resume: { state: 'NEEDS_REPAIR' } });
  await story.next(signal('resume', { by: 'ana', budget: { maxRepairs: 4 } }));
  expect(story.moves.filter((made) => made.includes('repair'))).toEqual([
    '3 record repair → over_budget',
    '6 record repair → repair',
  ]);
});

test('R2.5 a suspended commit is made after a resume', async () => {
  const change: Partial<StartSnapshot> = {
    ...codeChange,
    criteria: [],
    models: [{ name: 'main', quick: true, timeoutMs: 1_000 }],
  };
  const story = await Story.of(
    { think: () => proposal(done), commit: inTurn<CallAnswers['commit']>(stopped, { kind: 'committed' }) },
    change,
  );
  await (await story.answer()).answer(); // the workspace, and the commit
  expect(story.state).toMatchObject({ kind: 'SUSPENDED', resume: { state: 'COMMITTING' } });
  await (await story.next(resume)).answer();
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test.each<[string, Act, string]>([
  ['WAITING_FOR_APPROVAL', { kind: 'needs_approval', binding: 'b', expiresAt: 9_000_000 }, '3 record wait'],
  ['WAITING_FOR_EFFECT', { kind: 'target_busy', effect: 'k' }, '3 record wait'],
  ['RECONCILING', { kind: 'unknown' }, '3 probe'],
])('R2.2 %s is suspended and resumed where it was', async (kind, answer, first) => {
  const story = await Story.of({ ...two, act: () => answer, probe: () => ({ kind: 'probed', next: 'ask' }) });
  expect(story.moves[2]).toContain(first);
  const { kind: before, ...waited } = story.state;
  expect(before).toBe(kind);
  await story.next(suspend);
  expect(story.state).toMatchObject({ kind: 'SUSPENDED', reason: 'suspended', resume: { state: kind, ...waited } });
  await story.next(resume);
  expect(story.state).toEqual({ kind, ...waited });
  expect(story.moves.at(-1)).toContain('record wait → none');
});

test('R2.2 a question is asked still after a suspension', async () => {
  const story = await Story.of({ think: inTurn(proposal({ kind: 'ask' }), proposal({ kind: 'text' })) });
  await story.next(suspend);
  expect(story.state).toEqual({
    kind: 'SUSPENDED',
    reason: 'suspended',
    resume: { state: 'WAITING_FOR_USER', reason: 'waiting_for_user' },
  });
  await story.next(resume);
  expect(story.state).toEqual({ kind: 'WAITING_FOR_USER', reason: 'waiting_for_user' });
  await story.next(signal('say', { text: 'Blue.' }));
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R6.3 what a budget broke off goes on once it is raised, under the same try', async () => {
  const over: Act = { kind: 'over_budget', limit: 'maxToolCalls' };
  const story = await Story.of({ ...two, act: inTurn<Act>(observed, over, observed) });
  expect(story.state).toMatchObject({ kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'maxToolCalls' });
  await story.next(signal('resume', { by: 'ana', budget: { maxToolCalls: 60 } }));
  expect(story.argsOf('act')).toMatchObject([
    { index: 0, try: 1 },
    { index: 1, try: 1 },
    { index: 1, try: 1 },
  ]);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R6.3 an end that the ledger puts off goes on after the action that called for it', async () => {
  const over = { kind: 'over_budget', limit: 'maxTurns' } as const;
  const story = await Story.of({
    ...two,
    act: inTurn<Act>({ kind: 'observed', ok: true, loop: true }, observed),
    record: inTurn<CallAnswers['record']>(over, { kind: 'none' }),
  });
  expect(story.state).toMatchObject({ kind: 'SUSPENDED', limit: 'maxTurns' });
  await story.next(resume);
  expect(indexes(story)).toEqual([0, 1]);
});

test('R12.4 a suspension is carried into the next run with all that it goes on with', async () => {
  const story = await Story.of({ ...two, act: inTurn<Act>(stopped, observed) }, { stepsPerRun: 1 });
  expect(story.runs[1]?.carried?.paused).toEqual({
    state: 'SUSPENDED',
    reason: 'suspended',
    resume: { state: 'EXECUTING_TOOL', batch: { actions: [quick(0), quick(1)], stop: { kind: 'actions' }, tries: 1 } },
  });
  await story.next(resume);
  expect(indexes(story)).toEqual([0, 0, 1]);
});

test('M5 a request to suspend aborts the call in flight, whose number is called again and answers it', async () => {
  const slow = input({});
  const ledger = new FakeLedger({});
  const asked = await decide(slow, ledger, []);
  const told = await decide(slow, ledger, [asked.live], suspend);
  expect(told.sent.map(({ aborted }) => aborted)).toEqual([true]);

  const result = { error: cancelledFailure() };
  const repeated = await decide(slow, ledger, [asked.live, told.live], { kind: 'result', seq: 1, result });
  expect(repeated.sent[1]?.execute(ledger).answer).toEqual(stopped);
});

test('M5 a request to suspend ends the wait before a next try, which is sent and answers it', async () => {
  const busy: Act = { kind: 'failed', failure: { class: 'tool_transient', code: 'BUSY', retryAfterMs: 50_000 } };
  const story = await Story.of({ ...two, act: inTurn<Act>(busy, observed) });
  expect(story.sleepMs).toBeGreaterThanOrEqual(50_000);
  await story.next(suspend);
  expect(story.state).toMatchObject({ kind: 'SUSPENDED', resume: { state: 'EXECUTING_TOOL', batch: { tries: 2 } } });
});

test('M5 a look at an effect is broken off, too', async () => {
  const slow = action(0, { quick: false });
  const think = () => proposal({ kind: 'actions' }, slow);
  const story = await (await Story.of({ think, act: () => ({ kind: 'unknown' }) })).answer();
  expect(story.state.kind).toBe('RECONCILING');
  await story.next(suspend);
  expect(story.latest.open.calls.map(({ aborted }) => aborted)).toEqual([true]);
});

test('M5 a cancel beside a request to suspend goes first, and ends a suspension', async () => {
  const both = await Story.of({ think: () => proposal({ kind: 'ask' }) });
  await both.next(suspend, signal('cancel', { by: 'ana' }));
  expect(both.result).toEqual({ state: 'CANCELLED', reason: 'cancelled' });

  const suspended = await Story.of({ ...two, act: () => stopped });
  await suspended.next(signal('cancel', { by: 'ana' }));
  expect(suspended.moves.slice(-2)).toEqual(['4 record pause → cancel', '5 settle → ended']);
});

test('M5 a resume of what is not suspended is rejected and changes nothing', async () => {
  const story = await Story.of({ think: () => proposal({ kind: 'ask' }) });
  await story.next(resume);
  expect(story.ledger.inbox.get('signal/1')?.as).toBe('rejected');
  expect(story.state.kind).toBe('WAITING_FOR_USER');
});
