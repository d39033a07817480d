import fc from 'fast-check';
import type { ScriptedAction } from './outside/model';
import type { LookBehaviour } from './outside/outside';
import { amounts } from './outside/policy';
import { type WriteArgs, type WriteName, writeNames } from './outside/tools';
import { type Plan, planOf } from './run/plan';
import { simulate } from './run/simulation';

/** Some hundred whole attempts, on a machine that may be busy with everything else. */
jest.setTimeout(120_000);

const box = fc.constantFrom('red', 'blue', 'green');
const amount = fc.constantFrom(amounts.allowed, amounts.denied);
const write: fc.Arbitrary<ScriptedAction> = fc
  .record({ tool: fc.constantFrom<WriteName>(...writeNames), box, amount })
  .map(({ tool, ...args }) => ({ tool, args }));
const peek: fc.Arbitrary<ScriptedAction> = box.map((name) => ({ tool: 'peek', args: { by: 0, box: name } }));
const actions = fc.array(fc.oneof({ weight: 3, arbitrary: peek }, { weight: 2, arbitrary: write }), {
  minLength: 2,
  maxLength: 10,
});
const looks = fc.dictionary(fc.integer({ min: 1, max: 20 }).map(String), fc.constant<LookBehaviour>('is slow'));
interface Drawn {
  readonly seed: number;
  readonly script: readonly (readonly ScriptedAction[])[];
  readonly quick: boolean;
  readonly looks: Readonly<Record<string, LookBehaviour>>;
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
  script: fc.array(actions, { minLength: 1, maxLength: 2 }),
  quick: fc.boolean(),
  looks,
});

/** Nothing goes wrong but that answers come in any order, and a process is held up now and then; each look is one of its own. */
function planFor({ seed, script, quick, looks: slow }: Drawn): Plan {
  const traits = { quick, prepares: false };
  let n = 0;
  const numbered = (action: ScriptedAction): ScriptedAction => {
    n += 1;
    return action.tool === 'peek' ? { ...action, args: { ...action.args, n } } : action;
  };
  const { contextTokens: _contextTokens, summaries: _summaries, ...plain } = planOf(1);
  return {
    ...plain,
    seed,
    processes: 2,
    tools: { put: traits, charge: traits, wire: traits, mail: traits },
    attempts: [script.map((step) => step.map(numbered))],
    requests: {},
    probes: {},
    models: {},
    events: [],
    beside: { quick, max: 8, looks: slow },
  };
}

/** One action after another, in the proposals' order: what each look shows, where a write did what it says that it did. */
function oneAfterAnother(script: Drawn['script'], observed: readonly string[]): string[] {
  const boxes = new Map<string, string[]>();
  return script.flat().map(({ tool, args }, at) => {
    const { box: name } = args as WriteArgs;
    const inside = boxes.get(name) ?? [];
    const text = observed[at] ?? 'nothing';
    if (tool === 'peek') return JSON.stringify(inside);
    const [, did] = /^did (.*)$/.exec(text) ?? [];
    if (did !== undefined) boxes.set(name, [...inside, did]);
    return text;
  });
}

test('R14.2 whatever reads and writes a proposal has, overlapping or not, what is seen and done is as one after another', async () => {
  let beside = 0;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async (one) => {
      const { violations, observed, reached } = await simulate(planFor(one));
      const seen = observed['a0/1'] ?? [];
      expect(violations).toEqual([]);
      expect(seen).toEqual(oneAfterAnother(one.script, seen));
      beside += reached['looks beside others'] ?? 0;
      done += reached['request applied'] ?? 0;
    }),
    { numRuns: 200 },
  );
  // Of some 150 and 330: less would mean that nothing is shown here.
  expect([beside > 60, done > 150]).toEqual([true, true]);
});
