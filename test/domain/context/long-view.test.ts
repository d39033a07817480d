import fc from 'fast-check';
import { collectItems } from '../../../src/domain/context/collect-items';
import type { ItemRows } from '../../../src/domain/context/item-rows';
import { makeProjection } from '../../../src/domain/context/make-projection';
import type { ModelMessage, ModelRequest } from '../../../src/domain/context/messages';
import { planCompaction, visibleStepsMax } from '../../../src/domain/context/plan-compaction';
import type { Projection } from '../../../src/domain/context/projection';
import { buildView } from '../../../src/domain/context/view';
import type { ViewInput, ViewStep } from '../../../src/domain/context/view-facts';
import { contract, count, rows } from './sample';

/** A past of many steps, seen step by step as the runtime shows it: compacted when the plan says so. */

const contextTokens = 12_000;
const fixedTokens = 1_200;

interface Past {
  readonly steps: readonly ViewStep[];
  readonly inputs: readonly ViewInput[];
}
interface Seen {
  readonly step: number;
  readonly view: ModelRequest;
  readonly uptoStep: number;
}

/** The view that each step was asked for with; plan and blocks change every time. */
function views({ steps, inputs }: Past): readonly Seen[] {
  let projection: Projection | undefined;
  return Array.from({ length: steps.length + 1 }, (_, k) => {
    const step = k + 1;
    projection = compacted({ steps: steps.slice(0, k), inputs }, projection);
    const uptoStep = projection?.uptoStep ?? 0;
    const view = buildView({
      contract,
      tools: [],
      inputs: inputs.filter((input) => input.afterStep < step),
      steps: steps.slice(uptoStep, k),
      hiddenSteps: uptoStep,
      ...(projection && { projection }),
      taskState: { steps: [{ id: 'now', title: `at ${step}`, status: 'doing' }] },
    });
    return { step, view, uptoStep };
  });
}

function compacted({ steps }: Past, projection: Projection | undefined): Projection | undefined {
  const plan = planCompaction({
    steps: steps.slice(projection?.uptoStep ?? 0).map((step) => ({ step: step.step, tokens: stepTokens(step) })),
    fixedTokens,
    projectionTokens: projection ? 1_000 : 0,
    contextTokens,
    outputTokens: 2_000,
    ratio: 1,
    tight: false,
  });
  if (plan.kind === 'none') return projection;
  return makeProjection({
    uptoStep: plan.uptoStep,
    contractVersion: 1,
    policy: 'p1',
    madeBy: 'summary',
    items: collectItems(itemRows(steps.slice(0, plan.uptoStep), plan.uptoStep)),
    itemTokens: plan.itemTokens,
    summary: `What was done up to ${plan.uptoStep}.`,
    count,
  });
}

const stepTokens = ({ text, calls }: ViewStep) =>
  count(text) + calls.reduce((sum, { rawArgs, output }) => sum + count(rawArgs) + count(output ?? ''), 0);

const itemRows = (steps: readonly ViewStep[], uptoStep: number): ItemRows => ({
  ...rows,
  uptoStep,
  calls: steps.flatMap(({ step, calls }) => calls.map(({ tool }, index) => ({ step, index, tool }))),
});

const past = fc
  .record({
    outputs: fc.array(fc.array(fc.nat(1_500), { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 150,
      size: 'max',
    }),
    messages: fc.array(fc.record({ after: fc.nat(149), text: fc.string() }), { maxLength: 5 }),
  })
  .map(({ outputs, messages }): Past => {
    const steps = outputs.map((lengths, index) => ({
      step: index + 1,
      text: `step ${index + 1}`,
      calls: lengths.map((length, k) => ({
        callId: `${index}.${k}`,
        tool: 't',
        rawArgs: '{}',
        output: `${index}.${k} ${'x'.repeat(length)}`,
      })),
    }));
    const said = [...messages].sort((a, b) => a.after - b.after);
    const inputs = said.map(({ after, text }, k) => ({
      ordinal: k + 1,
      afterStep: after,
      kind: 'message' as const,
      text,
    }));
    return { steps, inputs };
  });

test('R13.5 between two compactions the view of a step is a byte-exact beginning of the next one', () => {
  let compactions = 0;
  fc.assert(
    fc.property(past, (any) => {
      const seen = views(any);
      seen.slice(1).forEach(({ view: next, uptoStep }, k) => {
        const now = seen[k];
        if (now?.uptoStep !== uptoStep) {
          compactions += 1;
          return;
        }
        expect(JSON.stringify(next.system)).toBe(JSON.stringify(now.view.system));
        const kept = now.view.messages.slice(0, -1);
        expect(JSON.stringify(next.messages.slice(0, kept.length))).toBe(JSON.stringify(kept));
        expect(next.messages.length).toBeGreaterThan(now.view.messages.length);
      });
    }),
    { numRuns: 40 },
  );
  expect(compactions).toBeGreaterThan(10);
});

test('R13.1 R13.4 whatever the past, calls and results pair up in order, and each step is shown or compacted, not both', () => {
  fc.assert(
    fc.property(past, (any) => {
      for (const { step, view, uptoStep } of views(any)) {
        expectPaired(view.messages);
        const shown = view.messages.flatMap((message) => (message.role === 'assistant' ? [message.text] : []));
        const expected = Array.from({ length: step - 1 - uptoStep }, (_, k) => `step ${uptoStep + 1 + k}`);
        expect(shown).toEqual(expected);
        expect(shown.length).toBeLessThanOrEqual(visibleStepsMax);
      }
    }),
    { numRuns: 20 },
  );
});

test('R13.2 at step 1,000 the view is as small as at step 100, and the goal and what binds the work are in it', () => {
  const steps = Array.from({ length: 1_000 }, (_, k) => ({
    step: k + 1,
    text: `step ${k + 1}`,
    calls: [{ callId: `c${k}`, tool: 't', rawArgs: '{}', output: `${k} ${'x'.repeat(800)}` }],
  }));
  const seen = views({ steps, inputs: [] });
  const size = (step: number) => JSON.stringify(seen[step - 1]?.view).length;
  const sizes = (from: number) => Math.max(...Array.from({ length: 100 }, (_, k) => size(from + k)));
  expect(sizes(901)).toBeLessThan(sizes(101) * 1.2);
  expect(sizes(901) / 4).toBeLessThan(contextTokens * 0.9);
  const text = JSON.stringify(seen.at(-1)?.view);
  for (const words of [
    contract.goal,
    'digits',
    'Change no test.',
    'Tell the user',
    'waits for an approval',
    'may have taken effect',
  ]) {
    expect(text).toContain(words);
  }
});

function expectPaired(messages: readonly ModelMessage[]): void {
  let awaited: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') expect(message.callId).toBe(awaited.shift());
    else expect(awaited).toEqual([]);
    if (message.role === 'assistant') awaited = message.calls.map((call) => call.callId);
  }
  expect(awaited).toEqual([]);
}
