import { testStack } from '../support/stack';
import { action, proposal } from './support/inputs';
import { Lab } from './support/lab';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open((await testStack()).temporalAddress);
});
afterAll(async () => await lab.close());

/** What one step (a model call and an action) adds to the history on a real server. */
async function stepCost(quick: boolean) {
  const size = async (count: number) => {
    const think = ({ step }: { step: number }) =>
      step < count ? proposal({ kind: 'actions' }, action(0, { quick })) : proposal({ kind: 'text' });
    const { handle } = await lab.start({ think }, { models: [{ name: 'main', quick, timeoutMs: 1_000 }] });
    await handle.result();
    const { historyLength, historySize = 0 } = await handle.describe();
    const { events } = await handle.fetchHistory();
    const markers = (events ?? []).filter((event) => event.markerRecordedEventAttributes).length;
    return { events: historyLength, bytes: historySize, markers };
  };
  const [short, long] = [await size(10), await size(30)];
  const each = (name: keyof typeof short) => (long[name] - short[name]) / 20;
  return { events: each('events'), bytes: each('bytes'), markers: each('markers') };
}

test('a step costs at most 14 events and 4 KB of history with regular activities', async () => {
  const cost = await stepCost(false);
  expect(cost.events).toBeLessThanOrEqual(14);
  expect(cost.bytes).toBeGreaterThan(500);
  expect(cost.bytes).toBeLessThanOrEqual(4_096);
});

test('a step costs 2 markers and at most 2 KB of history with local activities', async () => {
  const cost = await stepCost(true);
  expect(cost.markers).toBe(2);
  expect(cost.bytes).toBeGreaterThan(200);
  expect(cost.bytes).toBeLessThanOrEqual(2_048);
});
