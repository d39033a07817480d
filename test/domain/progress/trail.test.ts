import fc from 'fast-check';
import { failureClasses } from '../../../src/domain/failure/failure';
import { fingerprint, likeness } from '../../../src/domain/progress/fingerprint';
import type { Intervention } from '../../../src/domain/progress/intervention';
import { judgeCall } from '../../../src/domain/progress/ladder';
import { newsOfStretchMin } from '../../../src/domain/progress/line';
import type { SeenCall } from '../../../src/domain/progress/seen-call';
import { infrastructure } from '../../../src/domain/progress/seen-call';
import { endAt, fullWeight, lightWeight, stagnationAt, warnAt } from '../../../src/domain/progress/stagnation';
import { Trail } from '../../../src/domain/progress/trail';

/** Each in a step of its own, unless it says which. */
const steps = Array(50_000).keys();
const call = (change: Partial<SeenCall> = {}): SeenCall => ({
  step: steps.next().value ?? 0,
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
  foundNothing: false,
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
  expect(trailOf(failed, failed, failed, failed, failed).stagnation()).toBe(0);
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
  expect([trail.repeats('p'), trail.stagnation()]).toEqual([0, 0]);
});

test('R13.2 what the model no longer sees it may look at again', () => {
  const trail = trailOf({}, {}, {}, { print: 'q' }, { print: 'q' });
  trail.compacted();
  expect(trail.stagnation()).toBe(0);
});

/** So many calls that each bring something never seen. */
function work(trail: Trail, calls: number, name: string): void {
  for (let n = 0; n < calls; n += 1) trail.saw(call({ print: `${name} ${n}`, answer: `${name} ${n}` }));
}

test('R7.3 a document that is read once after each compaction, with work between, is no loop', () => {
  const trail = trailOf({});
  const repeats = Array.from({ length: 10 }, (_, view) => {
    work(trail, 80, `view ${view}`);
    trail.planned(view + 1);
    trail.compacted();
    const before = trail.repeats('p');
    trail.saw(call());
    return before;
  });
  expect(repeats).toEqual(Array.from({ length: 10 }, () => 0));
});

test('R7.3 a document that is read once in each step of the plan that is finished, with work between, is no loop', () => {
  const trail = trailOf({ print: 'p in 0', stepless: 'p' });
  for (let done = 1; done <= 10; done += 1) {
    work(trail, newsOfStretchMin, `step ${done}`);
    trail.planned(done);
    expect(trail.repeatsInAnyStep('p')).toBe(0);
    trail.saw(call({ print: `p in ${done}`, stepless: 'p' }));
  }
});

test('R7.3 a loop within one view is counted as ever, however the view began', () => {
  const trail = trailOf({}, {});
  trail.compacted();
  for (let n = 0; n < 3; n += 1) trail.saw(call());
  expect(trail.repeats('p')).toBe(5);
});

test.each([1, 2, 3, 4])(
  'R7.3 a loop of %d calls a view, beside calls that always bring something new, ends at its fourth repeat',
  (perView) => {
    const trail = new Trail();
    const repeats: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      work(trail, 3, `beside ${n}`);
      if (n % perView === 0) trail.compacted();
      repeats.push(trail.repeats('p'));
      trail.saw(call());
    }
    expect(repeats).toEqual([0, 1, 2, 3, 4, 5]);
  },
);

test('R7.3 work alone takes no repeat back: what was answered stands in the view still', () => {
  const trail = new Trail();
  const repeats = [1, 2, 3, 4, 5].map((round) => {
    const before = trail.repeats('p');
    trail.saw(call());
    work(trail, 40, `round ${round}`);
    return before;
  });
  expect(repeats).toEqual([0, 1, 2, 3, 4]);
});

test('R7.3 what was repeated in sight is no fresh look after the next compaction, whatever work lay between', () => {
  const trail = trailOf({}, {});
  const repeats = [1, 2, 3].map((view) => {
    work(trail, 80, `view ${view}`);
    trail.compacted();
    const before = trail.repeats('p');
    trail.saw(call());
    return before;
  });
  expect(repeats).toEqual([2, 3, 4]);
});

test('R7.3 a compaction makes files no news where nothing new was seen since the one before', () => {
  const files = Array.from({ length: 10 }, (_, n) => ({ print: `f${n}`, answer: `file ${n}` }));
  const inTurn = trailOf(...files, ...files);
  for (let view = 0; view < 3; view += 1) {
    inTurn.compacted();
    for (const file of [...files, ...files]) inTurn.saw(call(file));
  }
  expect(inTurn.stagnation()).toBeGreaterThanOrEqual(endAt);
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
    trailOf(...Array.from({ length: 10 }, (_, n) => ({ ...short, print: `p in ${n}` }))).stagnation(),
  ).toBeGreaterThanOrEqual(endAt);
});

test('R7.3 a step of the plan that is called done takes no repeat back, whatever else was seen', () => {
  const trail = trailOf({ print: 'p in a', stepless: 'p' }, { print: 'p in a', stepless: 'p' });
  for (let done = 1; done <= 3; done += 1) {
    work(trail, 2, `beside ${done}`);
    trail.planned(done);
    trail.saw(call({ print: `p in ${done}`, stepless: 'p' }));
  }
  expect(trail.repeatsInAnyStep('p')).toBe(5);
});

test('R7.3 a call under steps renamed every third call, one done every sixth, is not run from the fourth on', () => {
  const trail = new Trail();
  const rungs: string[] = [];
  for (let n = 0; rungs.at(-1) !== 'end' && n < 302; n += 1) {
    const print = `p in ${Math.floor(n / 3)}`;
    if (n > 0 && n % 6 === 0) trail.planned(n / 6);
    const { rung } = judgeCall({
      repeats: trail.repeats(print),
      reworded: 0,
      restepped: trail.repeatsInAnyStep('p'),
      stagnation: trail.stagnation(),
    });
    rungs.push(rung);
    trail.saw(call({ print, stepless: 'p', stopped: rung === 'replan' || rung === 'end' }));
  }
  expect(rungs).toEqual(['none', 'record', 'warn', 'replan', 'end']);
});

/** The rungs of equal calls, so many in each step. */
function climb(perStep: number, steps: number): Intervention[][] {
  const trail = new Trail();
  return Array.from({ length: steps }, (_, at) =>
    Array.from({ length: perStep }, () => {
      const facts = { repeats: trail.repeats('p', at + 1), reworded: 0, restepped: 0 };
      const { rung } = judgeCall({ ...facts, stagnation: trail.stagnation(at + 1) });
      trail.saw(call({ step: at + 1, stopped: rung === 'replan' || rung === 'end' }));
      return rung;
    }),
  );
}

test.each([1, 2, 5])(
  'R7.3 the ladder is climbed one rung a step, however often (%d) a step asks for the same',
  (perStep) => {
    expect(climb(perStep, 5).map((rungs) => [...new Set(rungs)])).toEqual([
      ['none'],
      ['record'],
      ['warn'],
      ['replan'],
      ['end'],
    ]);
  },
);

test('R7.3 adversarial: fifty equal calls in each proposal are told to plan anew, and then heard once more', () => {
  expect(climb(50, 5).map((rungs) => [...new Set(rungs)].join())).toEqual(['none', 'warn', 'replan', 'replan', 'end']);
});

test.each([1, 3, 30])('R7.3 no rung is passed by a step of %d other calls that bring nothing new', (perStep) => {
  const trail = trailOf({ answer: 'known' }, { answer: 'known' });
  const rungs: Intervention[] = [];
  for (let at = 1_000; at < 1_040 && rungs.at(-1) !== 'end'; at += 1) {
    const rung = stagnationAt(trail.stagnation(at));
    for (let n = 0; n < perStep; n += 1) {
      expect(stagnationAt(trail.stagnation(at))).toBe(rung);
      trail.saw(call({ step: at, print: `${at} ${n}`, answer: 'known', ok: false, failureClass: 'tool_business' }));
    }
    if (rung !== rungs.at(-1)) rungs.push(rung);
  }
  expect(rungs).toEqual(['none', 'warn', 'replan', 'warn', 'end']);
});

test('R7.3 whatever is called in whatever proposals, no rung comes before the one below it was shown in an earlier step', () => {
  const letter = fc.constantFrom('a', 'b', 'c');
  const made = fc.record({
    word: letter,
    planStep: fc.constantFrom('x', 'y'),
    answer: fc.constantFrom('one', 'one', 'one', 'two'),
    ok: fc.boolean(),
    sent: fc.boolean(),
    snapshot: fc.constantFrom(null, 's1'),
  });
  const between = fc.constantFrom(
    'nothing' as const,
    'nothing' as const,
    'nothing' as const,
    'compacted' as const,
    'done' as const,
  );
  const proposal = fc.record({ between, calls: fc.array(made, { minLength: 1, maxLength: 8 }) });
  fc.assert(
    fc.property(fc.array(proposal, { minLength: 10, maxLength: 40 }), (proposals) => {
      const trail = new Trail();
      const shown = new Set<Intervention>(['none', 'record']);
      const below = { none: 'none', record: 'none', warn: 'record', replan: 'warn', end: 'replan' } as const;
      for (const [at, { between, calls }] of proposals.entries()) {
        if (between === 'compacted') trail.compacted();
        if (between === 'done') trail.planned(at);
        const inStep: Intervention[] = [];
        for (const { word, planStep, ...rest } of calls) {
          const [print, stepless] = [`${word} ${planStep}`, word];
          const { rung } = judgeCall({
            repeats: trail.repeats(print, at),
            reworded: trail.repeats('like', at),
            restepped: trail.repeatsInAnyStep(stepless, at),
            stagnation: trail.stagnation(at),
          });
          expect([...shown]).toContain(below[rung]);
          inStep.push(rung);
          const stopped = rung === 'replan' || rung === 'end';
          trail.saw(call({ step: at, print, stepless, likeness: 'like', stopped, ...rest }));
        }
        for (const rung of inStep) shown.add(rung);
      }
    }),
    { numRuns: 150 },
  );
});

test('R7.1 green checks of other kinds in one snapshot are no loop', () => {
  const lines = [
    'npm test',
    'npm run lint',
    'npx tsc',
    'npm test -- a',
    'npm test -- b',
    'npm run test unit',
    'go vet',
  ];
  const trail = new Trail();
  for (const command of lines) {
    const fingerprinted = { tool: 'run_command', args: { command }, environment: 's1', planStep: '', outside: false };
    const [print, alike] = [fingerprint(fingerprinted), likeness(fingerprinted)];
    const judged = judgeCall({
      repeats: trail.repeats(print),
      reworded: trail.repeats(alike),
      restepped: trail.repeatsInAnyStep(print),
      stagnation: trail.stagnation(),
    });
    expect([command, judged.rung]).toEqual([command, 'none']);
    const report = `${command}: a report of its own, longer than next to nothing. `.repeat(4);
    trail.saw(call({ print, likeness: alike, answer: report, sent: true, snapshot: 's1', failingTests: 0 }));
  }
});

test('R7.1 that as many tests fail makes other calls no repeats of each other, in whatever words', () => {
  const run = (print: string) => ({
    print,
    likeness: 'like',
    answer: print,
    failingTests: 0,
    snapshot: 's1',
    sent: true,
  });
  expect(trailOf(run('a'), run('b'), run('c')).repeats('like')).toBe(0);
});

test('R7.2 a finished step of the plan counts only with something new since the last one', () => {
  const trail = trailOf({}, { answer: 'other' });
  trail.planned(1);
  for (let k = 0; k < 6; k += 1) trail.saw(call({ print: `q${k}`, tokens: 100 }));
  const before = trail.stagnation();
  trail.planned(2);
  expect([before > 0, trail.stagnation()]).toEqual([true, before]);
});

test('R7.2 the same error again, whatever was asked, is nothing new', () => {
  const errors = [1, 2, 3, 4, 5, 6].map((n) => ({
    print: `p${n}`,
    ok: false,
    failureClass: 'tool_business' as const,
    tokens: 10,
  }));
  expect(trailOf(...errors).stagnation()).toBe(lightWeight + 4 * fullWeight);
  expect(trailOf(...errors, { answer: 'news' }).stagnation()).toBe(0);
});

test('R7.2 other searches that find nothing are honest, however many; the same one is not', () => {
  const search = (n: number) => ({ print: `p${n}`, answer: 'none', tokens: 3 });
  const searches = (count: number) => trailOf(...Array.from({ length: count }, (_, n) => search(n))).stagnation();
  expect(searches(40)).toBe(0);
  expect(trailOf(...Array.from({ length: 12 }, () => search(1))).stagnation()).toBeGreaterThan(endAt);
});

test('R7.2 looking once more at each of eight files is warned of and stopped by nobody', () => {
  const files = Array.from({ length: 8 }, (_, n) => ({ print: `p${n}`, answer: `file ${n}` }));
  expect(trailOf(...files, ...files).stagnation()).toBe(8 * lightWeight);
  expect(trailOf(...files, ...files, ...files).stagnation()).toBeGreaterThanOrEqual(endAt);
});

test.each<[string, Partial<SeenCall>]>([
  ['a new answer', { answer: 'news' }],
  ['a new version of the workspace', { snapshot: 's2' }],
  ['a change outside', { sent: true }],
])('R7.2 %s is progress', (_, change) => {
  expect(trailOf({}, {}, {}, {}, change).stagnation()).toBe(0);
});

test('R7.2 a plan step done is progress once', () => {
  const trail = trailOf({}, {}, {});
  trail.planned(1);
  expect(trail.stagnation()).toBe(0);
  trail.saw(call());
  trail.planned(0);
  trail.planned(1);
  expect(trail.stagnation()).toBe(fullWeight);
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
  expect(trailOf(...turns).stagnation()).toBeGreaterThan(0);
});

test('R7.3 polls are neither progress nor the lack of it', () => {
  const polls = Array.from({ length: 30 }, () => ({ poll: true }));
  expect(trailOf(...polls).stagnation()).toBe(0);
  expect(trailOf({ print: 'q', answer: 'a' }, { print: 'q', answer: 'a' }, ...polls).stagnation()).toBeLessThan(warnAt);
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
