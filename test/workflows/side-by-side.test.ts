import type { CallAnswers, PlannedAction } from '../../src/protocol/calls';
import { lostExecutionsMax } from '../../src/workflows/limits';
import { signal } from './support/decide';
import { applicationFailure, cancelledFailure, type Delivery, type Sent } from './support/fake-engine';
import type { Script } from './support/fake-ledger';
import { action, proposal } from './support/inputs';
import { Story } from './support/story';

type Act = CallAnswers['act'];
const observed: Act = { kind: 'observed', ok: true };
const busy: Act = { kind: 'failed', failure: { class: 'tool_transient', code: 'BUSY' } };
const asks = (binding: string): Act => ({ kind: 'needs_approval', binding, expiresAt: 2_000_000 });

const read = (index: number, change: Partial<PlannedAction> = {}) => action(index, { reads: 'trusted', ...change });
const proposes = (...actions: PlannedAction[]): Pick<Script, 'think'> => ({
  think: ({ step }) => (step === 1 ? proposal({ kind: 'actions' }, ...actions) : proposal({ kind: 'text' })),
});
const groups = { flow: 2, parallelActionsMax: 8 };

/** Answers of one action after another, by its index; the last one stands for all that follow. */
const byIndex = (answers: Readonly<Record<number, readonly Act[]>>): Pick<Script, 'act'> => {
  const asked = new Map<number, number>();
  return {
    act: ({ index }) => {
      const nth = asked.get(index) ?? 0;
      asked.set(index, nth + 1);
      return answers[index]?.[Math.min(nth, answers[index].length - 1)] ?? observed;
    },
  };
};

const numbers = (calls: readonly Sent[], story: Story) =>
  calls.map((call) => {
    const before = story.ledger.calls.length;
    const answered = call.execute(story.ledger);
    const { call: made } = story.ledger.calls[before] as (typeof story.ledger.calls)[number];
    return { n: made.n, beside: made.beside, answered, seq: call.seq };
  });
const results = (done: ReturnType<typeof numbers>): Delivery[] =>
  done.map(({ seq, answered }) => ({ kind: 'result', seq, result: { answered } }));
const tried = (story: Story) =>
  [...story.ledger.moves]
    .sort((a, b) => a.n - b.n)
    .filter(({ kind }) => kind === 'act')
    .map(({ n, args }) => {
      const { index, try: tries } = args as { index: number; try: number };
      return `${n}: a${index} t${tries}`;
    });

test('R14.2 M1 reads are asked for at once, numbered in the order of the proposal, whatever ends first', async () => {
  const story = await Story.of(proposes(read(0), read(1), read(2)), groups);
  const { calls } = story.latest.open;
  expect(calls).toHaveLength(3);
  const done = numbers([...calls].reverse(), story);
  expect(done.map(({ n, beside }) => [n, beside])).toEqual([
    [4, 2],
    [3, 2],
    [2, 2],
  ]);
  await story.next(...results(done.slice(0, 2)));
  expect(story.latest.open.calls).toHaveLength(1); // M1: a group is awaited whole
  await story.next(...results(done.slice(2)));
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R14.2 a write waits for the reads before it, and the reads after it wait for the write', async () => {
  const story = await Story.of(proposes(read(0), read(1), action(2), read(3), read(4)), groups);
  const sizes: number[] = [];
  while (story.latest.open.calls.length > 0) {
    sizes.push(story.latest.open.calls.length);
    await story.next(...results(numbers(story.latest.open.calls, story)));
  }
  expect(sizes).toEqual([2, 1, 2]);
  expect(tried(story)).toEqual(['2: a0 t1', '3: a1 t1', '4: a2 t1', '5: a3 t1', '6: a4 t1']);
});

test.each([
  ['an attempt of flow 1', { flow: 1, parallelActionsMax: 8 }],
  ['an attempt that was started without a limit', { flow: 2 }],
])('M3 %s makes its calls one after another', async (_, start) => {
  const story = await Story.of(proposes(read(0), read(1)), start);
  expect(story.latest.open.calls).toHaveLength(1);
});

test('R14.2 no more than the limit run at once', async () => {
  const story = await Story.of(proposes(...[0, 1, 2, 3, 4].map((index) => read(index))), {
    flow: 2,
    parallelActionsMax: 2,
  });
  expect(story.latest.open.calls).toHaveLength(2);
});

test('R14.2 R5.1 the first content that nobody vouches for comes before what policy judges by it, and then order is free', async () => {
  const untrusted = (index: number) => read(index, { reads: 'untrusted' });
  const story = await Story.of(
    {
      ...proposes(untrusted(0), untrusted(1), untrusted(2), read(3)),
      ...byIndex({ 0: [{ kind: 'observed', ok: false }] }),
    },
    groups,
  );
  const sizes: number[] = [];
  while (story.latest.open.calls.length > 0) {
    sizes.push(story.latest.open.calls.length);
    await story.next(...results(numbers(story.latest.open.calls, story)));
  }
  // The first one failed, so nobody knows here whether it showed anything; the second one did.
  expect(sizes).toEqual([1, 1, 2]);
});

test('M1 R8.5 further tries get their numbers in the order of the proposal before they wait, and the rest is not tried again', async () => {
  const script = { ...proposes(read(0), read(1), read(2)), ...byIndex({ 0: [busy, observed], 2: [busy, observed] }) };
  const story = await Story.of(script, groups);
  await story.next(...results(numbers(story.latest.open.calls, story)));
  const timers = [...story.latest.open.timers];
  expect(timers).toHaveLength(2);
  // The second one's wait ends first, and its number is the later one all the same.
  await story.next({ kind: 'fired', seq: timers[1] as number });
  await story.next({ kind: 'fired', seq: timers[0] as number });
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(tried(story)).toEqual(['2: a0 t1', '3: a1 t1', '4: a2 t1', '5: a0 t2', '6: a2 t2']);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R14.3 R5.4 while one waits for approval nothing later runs, and what ran beside it is not run again', async () => {
  const script = { ...proposes(read(0), read(1), read(2), action(3)), ...byIndex({ 1: [asks('b'), observed] }) };
  const story = await Story.of(script, groups);
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(story.state).toMatchObject({
    kind: 'WAITING_FOR_APPROVAL',
    binding: 'b',
    batch: { actions: [{ index: 1 }, { index: 3 }], tries: 0 },
  });
  expect(story.latest.open.calls).toEqual([]);
  await story.next(signal('approve', { binding: 'b', by: 'ana' }));
  await story.next(...results(numbers(story.latest.open.calls, story)));
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(tried(story).map((line) => line.split(': ')[1])).toEqual(['a0 t1', 'a1 t1', 'a2 t1', 'a1 t1', 'a3 t1']);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R5.4 R8.5 where one waits for a person another is not tried again before it is answered, and then as its next try', async () => {
  const script = {
    ...proposes(read(0), read(1), read(2)),
    ...byIndex({ 0: [asks('b'), observed], 1: [busy, observed] }),
  };
  const story = await Story.of(script, groups);
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(story.latest.open).toEqual({ calls: [], timers: [expect.any(Number)] }); // until the request expires
  expect(story.state).toMatchObject({
    kind: 'WAITING_FOR_APPROVAL',
    batch: { actions: [{ index: 0 }, { index: 1 }], tries: 0, triesBeside: { 1: 1 } },
  });
  await story.next(signal('approve', { binding: 'b', by: 'ana' }));
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(
    tried(story)
      .slice(3)
      .map((line) => line.split(': ')[1]),
  ).toEqual(['a0 t1', 'a1 t2']);
});

test('R5.3 two that wait are each answered in any order, and run together once the first is', async () => {
  const script = { ...proposes(read(0), read(1)), ...byIndex({ 0: [asks('x'), observed], 1: [asks('y'), observed] }) };
  const story = await Story.of(script, groups);
  await story.next(...results(numbers(story.latest.open.calls, story)));
  await story.next(signal('approve', { binding: 'y', by: 'ana' }));
  expect(story.state).toMatchObject({ kind: 'WAITING_FOR_APPROVAL', binding: 'x' });
  await story.next(signal('approve', { binding: 'x', by: 'ana' }));
  expect(story.latest.open.calls).toHaveLength(2);
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('M5 a cancel aborts all that is in flight, and the one that takes it stops the others', async () => {
  const story = await Story.of(proposes(read(0), read(1), read(2)), groups);
  await story.next(signal('cancel', { by: 'ana' }));
  const { calls } = story.latest.open;
  expect(calls.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  // Two have stopped and are called again; the third answers the first of its executions.
  const [first, second, third] = calls as [Sent, Sent, Sent];
  const error = cancelledFailure();
  await story.next(
    { kind: 'result', seq: first.seq, result: { error } },
    { kind: 'result', seq: third.seq, result: { error } },
  );
  const repeated = story.latest.open.calls.filter(({ seq }) => seq !== second.seq);
  const done = numbers([...repeated, second], story);
  expect(done.map(({ answered }) => answered.answer)).toEqual(Array(3).fill({ kind: 'interrupted' }));
  await story.next(...results(done));
  expect(story.result).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
});

test('M5 a cancel that one took before any signal came stops the others at once, and no wait goes on', async () => {
  const script = { ...proposes(read(0), read(1), read(2)), ...byIndex({ 2: [busy] }) };
  const story = await Story.of(script, groups);
  const [first, second, third] = story.latest.open.calls as [Sent, Sent, Sent];
  await story.next(...results(numbers([third], story)));
  story.ledger.insert({ id: 'c', kind: 'cancel', body: { by: 'ana' } });
  await story.next(...results(numbers([first], story)));
  expect(second.aborted).toBe(false);
  expect(story.latest.sent.map(({ aborted }) => aborted).filter(Boolean)).toHaveLength(1);
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(story.latest.open.timers).toEqual([]);
  expect(story.result).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
});

test('R14.3 R9.1 a suspended batch goes on with what is left of it, each with the tries that it has had', async () => {
  const script = { ...proposes(read(0), read(1), read(2), read(3)), ...byIndex({}) };
  const story = await Story.of(script, groups);
  const [first, ...rest] = story.latest.open.calls as [Sent, ...Sent[]];
  const done = numbers([first], story);
  await story.next(signal('suspend', { by: 'ana' }), ...results(done));
  const error = cancelledFailure();
  await story.next(...rest.map(({ seq }): Delivery => ({ kind: 'result', seq, result: { error } })));
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(story.state).toMatchObject({
    kind: 'SUSPENDED',
    reason: 'suspended',
    resume: {
      state: 'EXECUTING_TOOL',
      batch: { actions: [{ index: 1 }, { index: 2 }, { index: 3 }], tries: 1, triesBeside: { 2: 1, 3: 1 } },
    },
  });
  await story.next(signal('resume', { by: 'ana' }));
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(
    tried(story)
      .slice(-3)
      .map((line) => line.split(': ')[1]),
  ).toEqual(['a1 t2', 'a2 t2', 'a3 t2']);
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('R14.3 R12.4 what is left of a batch is carried into the next run', async () => {
  const script = { ...proposes(read(0), read(1), read(2)), ...byIndex({ 0: [asks('b'), observed] }) };
  const story = await Story.of(script, { ...groups, stepsPerRun: 1 });
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(story.runs).toHaveLength(2);
  expect(story.runs[1]?.carried?.paused).toMatchObject({
    state: 'WAITING_FOR_APPROVAL',
    batch: { actions: [{ index: 0 }] },
  });
  await story.next(signal('approve', { binding: 'b', by: 'ana' }));
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(tried(story).map((line) => line.split(': ')[1])).toEqual(['a0 t1', 'a1 t1', 'a2 t1', 'a0 t1']);
});

test('M5 M8 R7.3 a cancel that one took goes before the end that another one met, and that before a suspension', async () => {
  const loop: Act = { kind: 'observed', ok: false, loop: true };
  const stop = (suspend?: true): Act => ({ kind: 'interrupted', ...(suspend && { suspend }) });
  const cancelled = await Story.of(
    { ...proposes(read(0), read(1), read(2)), ...byIndex({ 0: [loop], 1: [asks('b')], 2: [stop()] }) },
    groups,
  );
  await cancelled.next(...results(numbers(cancelled.latest.open.calls, cancelled)));
  expect(cancelled.result).toMatchObject({ state: 'CANCELLED' });
  const ended = await Story.of(
    { ...proposes(read(0), read(1), read(2)), ...byIndex({ 0: [asks('b')], 1: [stop(true)], 2: [loop] }) },
    groups,
  );
  await ended.next(...results(numbers(ended.latest.open.calls, ended)));
  expect(ended.result).toEqual({ state: 'FAILED', reason: 'loop_detected' });
});

test('R6.3 one that has no budget left suspends the attempt, and what it waits for is asked for again', async () => {
  const over: Act = { kind: 'over_budget', limit: 'maxToolCalls' };
  const script = {
    ...proposes(read(0), read(1), read(2)),
    ...byIndex({ 1: [over, observed], 2: [asks('b'), observed] }),
  };
  const story = await Story.of(script, groups);
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(story.state).toMatchObject({
    kind: 'SUSPENDED',
    reason: 'budget_exceeded',
    resume: { batch: { actions: [{ index: 1 }, { index: 2 }] } },
  });
  await story.next(signal('resume', { by: 'ana' }));
  await story.next(...results(numbers(story.latest.open.calls, story)));
  expect(story.result).toEqual({ state: 'COMPLETED', reason: 'success' });
});

test('M2 R14.3 one that nobody answers is given up by its own number, and the others keep their answers', async () => {
  const story = await Story.of(proposes(read(0), read(1), read(2)), groups);
  const [first, second, third] = story.latest.open.calls as [Sent, Sent, Sent];
  await story.next(...results(numbers([first, third], story)));
  const error = applicationFailure('TypeError');
  await story.next({ kind: 'result', seq: second.seq, result: { error } }); // repeated at once
  for (let lost = 1; lost < lostExecutionsMax; lost += 1) {
    if (story.latest.open.timers.length > 0) await story.fire();
    const [repeated] = story.latest.open.calls as [Sent];
    await story.next({ kind: 'result', seq: repeated.seq, result: { error } });
  }
  const [givesUp] = story.latest.open.calls as [Sent];
  const answered = givesUp.execute(story.ledger);
  expect(answered.answer.kind).toBe('gave_up');
  await story.next({ kind: 'result', seq: givesUp.seq, result: { answered } });
  expect(tried(story)).toEqual(['2: a0 t1', '3: a1 t1', '4: a2 t1']);
  expect(story.state).toEqual({ kind: 'WAITING_FOR_USER', reason: 'blocked' });
});

test('M1 quick reads are local calls of one task; with a slow one among them none is', async () => {
  const quick = await Story.of(proposes(read(0, { quick: true }), read(1, { quick: true })), groups);
  expect(quick.latest.sent.map(({ lane }) => lane)).not.toContain('regular');
  const mixed = await Story.of(proposes(read(0, { quick: true }), read(1)), groups);
  expect(mixed.latest.open.calls).toHaveLength(2);
});
