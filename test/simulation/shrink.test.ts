import { type Plan, planOf } from './run/plan';
import { shrink } from './run/shrink';
import { simulate } from './run/simulation';

const noisy: Plan = {
  ...planOf(1),
  attempts: [[[{ tool: 'put', args: {} }]], [[{ tool: 'mail', args: {} }], [{ tool: 'look', args: {} }]]],
  requests: { 1: 'loses', 2: 'refuses' },
  probes: { 1: 'hangs' },
  models: { 3: 'fails' },
  events: [
    { at: { step: 5 }, do: 'leap', ms: 1 },
    { at: { step: 9 }, do: 'kill', process: 0, noticed: true },
    { at: { step: 12 }, do: 'leap', ms: 2 },
  ],
};

test('a failing schedule is made as small as it still fails', async () => {
  const broken = (plan: Plan) => plan.events.some(({ do: what }) => what === 'kill') && plan.requests[2] === 'refuses';
  const small = await shrink(noisy, ['R4.4'], async (plan) => (broken(plan) ? [{ rule: 'R4.4', what: '' }] : []));

  expect(small.events).toEqual([{ at: { step: 9 }, do: 'kill', process: 0, noticed: true }]);
  expect(small.requests).toEqual({ 2: 'refuses' });
  expect([small.probes, small.models, small.attempts.flat()]).toEqual([{}, {}, []]);
});

test('another fault is not taken for the one that is shrunk', async () => {
  const small = await shrink(noisy, ['R4.4'], async (plan) => [
    { rule: plan.events.length === noisy.events.length ? 'R4.4' : 'E7', what: '' },
  ]);
  expect(small.events).toEqual(noisy.events);
});

test('a seed is one schedule, step by step', async () => {
  const [first, second] = [await simulate(planOf(7), true), await simulate(planOf(7), true)];
  expect(first.trace).toEqual(second.trace);
  expect(first.trace.length).toBeGreaterThan(50);
  expect((await simulate(planOf(8), true)).trace).not.toEqual(first.trace);
});
