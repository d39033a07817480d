import { type Judgement, judgeCall, loopError } from '../../../src/domain/progress/ladder';
import { endAt, fullWeight, replanAt, stagnationAt, warnAt } from '../../../src/domain/progress/stagnation';

const facts = { repeats: 0, reworded: 0, restepped: 0, stagnation: 0 };
const rung = (change: Partial<Parameters<typeof judgeCall>[0]>) => judgeCall({ ...facts, ...change }).rung;

test('R7.3 the ladder: nothing, a record, a warning, a new plan, the end, and never back', () => {
  const rungs = [0, 1, 2, 3, 4, 5, 1_000].map((repeats) => rung({ repeats }));
  expect(rungs).toEqual(['none', 'record', 'warn', 'replan', 'end', 'end', 'end']);
  expect([0, 1, 2, 3, 4, 5].map((reworded) => rung({ reworded }))).toEqual(rungs.slice(0, 6));
});

test('R7.3 the second repeat is answered with LOOP_WARNING, the third demands a plan', () => {
  const codes = [0, 1, 2, 3, 4].map((repeats) => loopError(judgeCall({ ...facts, repeats }), 'read_file')?.code);
  expect(codes).toEqual([undefined, undefined, 'LOOP_WARNING', 'REPLAN_REQUIRED', 'LOOP_DETECTED']);
  expect(loopError(judgeCall({ ...facts, repeats: 2 }), 'read_file')).toEqual({
    code: 'LOOP_WARNING',
    message: 'This call of read_file was made 2 times before with the same arguments, and nothing has changed since.',
    retryable: false,
    suggested_action: expect.any(String),
  });
});

test.each<[Judgement['kind'], string]>([
  ['repeated', 'with the same arguments'],
  ['reworded', 'in other words'],
  ['nothing_new', 'brought nothing'],
])('R7.3 the model is told what is wrong: %s', (kind, words) => {
  for (const at of ['warn', 'replan', 'end'] as const)
    expect(loopError({ rung: at, kind, repeats: 3 }, 't')?.message).toContain(words);
});

test('R7.2 four actions with nothing new are warned of, six have to plan anew, eight are the end', () => {
  const rungs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 50].map((actions) => stagnationAt(actions * fullWeight));
  expect(rungs).toEqual(['none', 'none', 'none', 'none', 'warn', 'warn', 'replan', 'warn', 'end', 'end']);
  expect(judgeCall({ ...facts, stagnation: endAt })).toEqual({ rung: 'end', kind: 'nothing_new', repeats: 0 });
});

test('R7.3 the higher rung counts', () => {
  expect(judgeCall({ ...facts, repeats: 3, stagnation: warnAt })).toMatchObject({
    rung: 'replan',
    kind: 'repeated',
  });
  expect(judgeCall({ ...facts, repeats: 1, reworded: 2 })).toMatchObject({ rung: 'warn', kind: 'reworded' });
  expect(judgeCall({ ...facts, repeats: 1, reworded: 1, stagnation: replanAt })).toMatchObject({
    rung: 'replan',
    kind: 'nothing_new',
  });
});

test('R7.3 the first repeat under another step of the plan is none; from the second on they climb like any other', () => {
  expect([0, 1, 2, 3, 4, 5].map((restepped) => rung({ restepped }))).toEqual([
    'none',
    'none',
    'warn',
    'replan',
    'end',
    'end',
  ]);
  expect(judgeCall({ ...facts, repeats: 1, restepped: 3 })).toEqual({ rung: 'replan', kind: 'repeated', repeats: 3 });
  expect(judgeCall({ ...facts, repeats: 1, restepped: 1 })).toMatchObject({ rung: 'record', repeats: 1 });
  expect([6, 7, 8, 9].map((restepped) => rung({ restepped, pollingLimit: 5 }))).toEqual([
    'none',
    'warn',
    'replan',
    'end',
  ]);
});

test('R7.3 polls are exempt up to their limit, and climb the ladder after it', () => {
  const poll = (repeats: number) => rung({ repeats, stagnation: 100, pollingLimit: 5 });
  expect([0, 1, 5, 6, 7, 8, 9].map(poll)).toEqual(['none', 'none', 'none', 'record', 'warn', 'replan', 'end']);
});
