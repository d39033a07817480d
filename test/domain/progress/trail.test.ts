import { failureClasses } from '../../../src/domain/failure/failure';
import { judgeCall } from '../../../src/domain/progress/ladder';
import type { SeenCall } from '../../../src/domain/progress/seen-call';
import { infrastructure } from '../../../src/domain/progress/seen-call';
import { endAt, fullWeight, lightWeight, warnAt } from '../../../src/domain/progress/stagnation';
import { Trail } from '../../../src/domain/progress/trail';

const call = (change: Partial<SeenCall> = {}): SeenCall => ({
  print: 'p',
  likeness: undefined,
  stepless: undefined,
  environment: 's1',
  snapshot: null,
  sent: false,
  stopped: false,
  poll: false,
  ok: true,
  answer: 'same',
  tokens: 100,
  failureClass: null,
  failingTests: null,
  ...change,
});
function trailOf(...calls: readonly Partial<SeenCall>[]): Trail {
  const trail = new Trail();
  for (const one of calls) trail.saw(call(one));
  return trail;
}
const answers = (...of: readonly string[]) => trailOf(...of.map((answer) => ({ answer })));

test('R7.1 repeats are calls in a row with one fingerprint and one answer', () => {
  expect([0, 1, 2, 3].map((times) => trailOf(...Array.from({ length: times }, () => ({}))).repeats('p'))).toEqual([
    0, 1, 2, 3,
  ]);
  expect(trailOf({}, {}).repeats('another')).toBe(0);
  expect(trailOf({}, {}).repeats(undefined)).toBe(0);
});

test('R7.1 a call that answers something else is no repeat', () => {
  expect(answers('10%', '20%').repeats('p')).toBe(0);
  expect(answers('10%', '20%', '30%', '40%').repeats('p')).toBe(0);
  expect(answers('10%', '20%', '20%').repeats('p')).toBe(2);
});

test('R7.1 answers that come again and again in turn are nothing new', () => {
  expect(answers('a', 'b', 'a').repeats('p')).toBe(2);
  expect(answers('a', 'b', 'a', 'b', 'a').repeats('p')).toBe(4);
});

test('R7.1 infrastructure that fails neither repeats nor breaks a repeat', () => {
  const failed = { ok: false, failureClass: 'tool_transient', answer: 'timeout' } as const;
  expect(trailOf(failed, failed, failed).repeats('p')).toBe(0);
  expect(trailOf({}, failed, {}, failed).repeats('p')).toBe(2);
  expect(trailOf(failed, failed, failed, failed, failed).stagnation).toBe(0);
});

test('R8.1 of every class it is said whether it is the infrastructure', () => {
  const away = failureClasses.filter((one) => infrastructure(one));
  expect(away.sort()).toEqual(
    ['budget_exhausted', 'environment_drift', 'model_transient', 'tool_transient', 'unrecoverable'].sort(),
  );
});

test('R7.3 a call that the ladder stopped is one repeat more', () => {
  const trail = trailOf({}, {}, {}, { stopped: true, ok: false, answer: 'REPLAN', failureClass: 'tool_business' });
  expect(trail.repeats('p')).toBe(4);
});

test('R7.1 the same tests failing in the same world is the same answer, in whatever order they ran', () => {
  const run = (answer: string, failingTests: number) => ({ answer, failingTests, snapshot: 's1', sent: true });
  expect(trailOf(run('a', 2), run('b', 2), run('c', 2)).repeats('p')).toBe(3);
  expect(trailOf(run('a', 2), run('b', 1)).repeats('p')).toBe(0);
  // A report that was read is one of many.
  expect(trailOf({ answer: 'a', failingTests: 2 }, { answer: 'b', failingTests: 2 }).repeats('p')).toBe(0);
});

test('R7.1 other words with the same long answer are a repeat; with next to no answer they are honest', () => {
  const asked = (print: string, change: Partial<SeenCall> = {}) => ({ print, likeness: 'like', ...change });
  expect(trailOf(asked('p1'), asked('p2'), asked('p3')).repeats('like')).toBe(3);
  expect(trailOf(asked('p1', { tokens: 3 }), asked('p2', { tokens: 3 })).repeats('like')).toBe(0);
  const error = { ok: false, failureClass: 'tool_business', tokens: 3 } as const;
  expect(trailOf(asked('p1', error), asked('p2', error)).repeats('like')).toBe(2);
});

test('R7.1 what is read after something outside was changed is read in another world', () => {
  const write = { print: 'w', sent: true, answer: 'sent' };
  expect(trailOf({}, {}, write, {}).repeats('p')).toBe(1);
  expect(trailOf({}, write, {}, write, {}, write).repeats('w')).toBe(3);
  // A refusal changed nothing.
  expect(trailOf({}, {}, { ...write, ok: false, failureClass: 'tool_business' }, {}).repeats('p')).toBe(3);
});

test('I3 a word from the user is news: what went before it counts no more', () => {
  const trail = trailOf({}, {}, {});
  trail.heard();
  expect([trail.repeats('p'), trail.stagnation]).toEqual([0, 0]);
});

test('R13.2 what the model no longer sees it may look at again', () => {
  const trail = trailOf({}, {}, {}, { print: 'q' }, { print: 'q' });
  trail.compacted();
  expect([trail.stagnation, trail.repeats('p'), trail.repeatsInAnyStep('p')]).toEqual([0, 0, 0]);
});

test('R7.3 a document that is read once after each compaction, with work between, is no loop', () => {
  const trail = trailOf({});
  const rungs = Array.from({ length: 10 }, (_, view) => {
    for (let n = 0; n < 80; n += 1) trail.saw(call({ print: `${view} ${n}`, answer: `${view} ${n}` }));
    trail.planned(view + 1);
    trail.compacted();
    const before = trail.repeats('p');
    trail.saw(call());
    return before;
  });
  expect(rungs).toEqual(Array.from({ length: 10 }, () => 0));
});

test('R7.3 a loop within one view is counted as ever, however the view began', () => {
  const trail = trailOf({}, {});
  trail.compacted();
  for (let n = 0; n < 4; n += 1) trail.saw(call());
  expect(trail.repeats('p')).toBe(4);
});

test('R7.3 a compaction takes nothing back where nothing new was seen since the one before: no loop goes on by them', () => {
  const trail = trailOf({});
  const repeats = Array.from({ length: 5 }, () => {
    trail.compacted();
    const before = trail.repeats('p');
    trail.saw(call());
    return before;
  });
  expect(repeats).toEqual([0, 1, 2, 3, 4]);
  const files = Array.from({ length: 10 }, (_, n) => ({ print: `f${n}`, answer: `file ${n}` }));
  const inTurn = trailOf(...files, ...files);
  for (let view = 0; view < 3; view += 1) {
    inTurn.compacted();
    for (const file of [...files, ...files]) inTurn.saw(call(file));
  }
  expect(inTurn.stagnation).toBeGreaterThanOrEqual(endAt);
});

test('R7.3 another name for the step of the plan does not hide a repeat; what was seen under it is counted', () => {
  const trail = new Trail();
  for (let n = 0; n < 5; n += 1) trail.saw(call({ print: `p in ${n}`, stepless: 'p' }));
  expect([trail.repeats('p in 4'), trail.repeats('p in 5'), trail.repeatsInAnyStep('p')]).toEqual([1, 0, 5]);
  trail.saw(call({ print: 'p in 4', stepless: 'p', stopped: true, ok: false, failureClass: 'tool_business' }));
  expect(trail.repeatsInAnyStep('p')).toBe(6);
});

test('R7.3 renamed steps do not make a known answer of a few words a search of another thing', () => {
  const short = { stepless: 'p', tokens: 3 };
  expect(
    trailOf(...Array.from({ length: 10 }, (_, n) => ({ ...short, print: `p in ${n}` }))).stagnation,
  ).toBeGreaterThanOrEqual(endAt);
});

test('R7.2 a step that was finished with something new lets its next look again; a mere claim does not', () => {
  const trail = trailOf({ print: 'p in a', stepless: 'p' }, { print: 'p in a', stepless: 'p' });
  trail.planned(1);
  expect(trail.repeatsInAnyStep('p')).toBe(0);
  trail.saw(call({ print: 'p in b', stepless: 'p' }));
  trail.planned(2);
  expect(trail.repeatsInAnyStep('p')).toBe(1);
});

test('R7.3 a call under steps renamed every third call, one done every sixth, is not run from the fifth on', () => {
  const trail = new Trail();
  const rungs: string[] = [];
  for (let n = 0; rungs.at(-1) !== 'end' && n < 302; n += 1) {
    const print = `p in ${Math.floor(n / 3)}`;
    if (n > 0 && n % 6 === 0) trail.planned(n / 6);
    const { rung } = judgeCall({
      repeats: trail.repeats(print),
      reworded: 0,
      restepped: trail.repeatsInAnyStep('p'),
      stagnation: trail.stagnation,
    });
    rungs.push(rung);
    trail.saw(call({ print, stepless: 'p', stopped: rung === 'replan' || rung === 'end' }));
  }
  expect(rungs).toEqual(['none', 'record', 'warn', 'warn', 'replan', 'end']);
});

test('R7.2 a finished step of the plan counts only with something new since the last one', () => {
  const trail = trailOf({}, { answer: 'other' });
  trail.planned(1);
  for (let k = 0; k < 6; k += 1) trail.saw(call({ print: `q${k}`, tokens: 100 }));
  const before = trail.stagnation;
  trail.planned(2);
  expect([before > 0, trail.stagnation]).toEqual([true, before]);
});

test('R7.2 the same error again, whatever was asked, is nothing new', () => {
  const errors = [1, 2, 3, 4, 5, 6].map((n) => ({
    print: `p${n}`,
    ok: false,
    failureClass: 'tool_business' as const,
    tokens: 10,
  }));
  expect(trailOf(...errors).stagnation).toBe(lightWeight + 4 * fullWeight);
  expect(trailOf(...errors, { answer: 'news' }).stagnation).toBe(0);
});

test('R7.2 other searches that find nothing are honest, however many; the same one is not', () => {
  const search = (n: number) => ({ print: `p${n}`, answer: 'none', tokens: 3 });
  const searches = (count: number) => trailOf(...Array.from({ length: count }, (_, n) => search(n))).stagnation;
  expect(searches(40)).toBe(0);
  expect(trailOf(...Array.from({ length: 12 }, () => search(1))).stagnation).toBeGreaterThan(endAt);
});

test('R7.2 looking once more at each of eight files is warned of and stopped by nobody', () => {
  const files = Array.from({ length: 8 }, (_, n) => ({ print: `p${n}`, answer: `file ${n}` }));
  expect(trailOf(...files, ...files).stagnation).toBe(8 * lightWeight);
  expect(trailOf(...files, ...files, ...files).stagnation).toBeGreaterThanOrEqual(endAt);
});

test.each<[string, Partial<SeenCall>]>([
  ['a new answer', { answer: 'news' }],
  ['a new version of the workspace', { snapshot: 's2' }],
  ['a change outside', { sent: true }],
])('R7.2 %s is progress', (_, change) => {
  expect(trailOf({}, {}, {}, {}, change).stagnation).toBe(0);
});

test('R7.2 a plan step done is progress once', () => {
  const trail = trailOf({}, {}, {});
  trail.planned(1);
  expect(trail.stagnation).toBe(0);
  trail.saw(call());
  trail.planned(0);
  trail.planned(1);
  expect(trail.stagnation).toBe(fullWeight);
});

test('R7.2 a version of the workspace that was there before is no progress', () => {
  const to = (snapshot: string, environment: string) => ({
    print: `${snapshot}${environment}`,
    snapshot,
    environment,
    answer: 'ok',
    sent: true,
  });
  const turns = Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? to('s2', 's1') : to('s1', 's2')));
  expect(trailOf(...turns).stagnation).toBeGreaterThan(0);
});

test('R7.3 polls are neither progress nor the lack of it', () => {
  const polls = Array.from({ length: 30 }, () => ({ poll: true }));
  expect(trailOf(...polls).stagnation).toBe(0);
  expect(trailOf({ print: 'q', answer: 'a' }, { print: 'q', answer: 'a' }, ...polls).stagnation).toBeLessThan(warnAt);
  expect(trailOf(...polls).repeats('p')).toBe(30);
});

test('I1 a trail of any length remembers so much and no more', () => {
  const trail = new Trail();
  for (let n = 0; n < 20_000; n += 1)
    trail.saw(call({ print: `p${n}`, answer: `a${n}`, snapshot: `s${n}`, environment: `s${n - 1}` }));
  const held = Object.values(trail).filter((part) => part instanceof Map);
  expect(held.length).toBeGreaterThan(0);
  for (const part of held) expect(part.size).toBeLessThanOrEqual(500);
  expect([trail.repeats('p0'), trail.repeats('p19999')]).toEqual([0, 1]);
});
