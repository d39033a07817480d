import type { Batch } from '../../src/protocol/attempt';
import type { PlannedAction } from '../../src/protocol/calls';
import { after, nextGroup, nextJob, readied } from '../../src/workflows/run/batch';
import type { Run } from '../../src/workflows/run/run';

const action = (index: number, more: Partial<PlannedAction> = {}): PlannedAction => ({
  index,
  tool: 'submit',
  hash: '0123456789abcdef',
  quick: false,
  ...more,
});
const run = { flow: 2, start: { parallelActionsMax: 8 } } as unknown as Run;
const batch: Batch = {
  actions: [action(0, { job: true }), action(1), action(2, { job: true })],
  stop: { kind: 'actions' },
};
const indices = (actions: readonly PlannedAction[]) => actions.map(({ index }) => index);
const submitted = (of: Batch, index: number, lookAt: number) => {
  const one = of.actions.find((known) => known.index === index);
  if (!one) throw new Error(`There is no action ${index}`);
  return after(of, [{ action: one, tries: 0, shown: false, pending: { effect: `e${index}`, lookAt } }]);
};

test('R15.2 while a job runs only other jobs are submitted, and what may stand on it waits; the job that is due first is waited for', () => {
  expect(indices(nextGroup(run, batch))).toEqual([0]);
  const one = submitted(batch, 0, 5_000);
  expect(indices(nextGroup(run, one))).toEqual([2]);
  const two = submitted(one, 2, 3_000);
  expect(nextGroup(run, two)).toEqual([]);
  expect(nextJob(two)).toEqual({ effect: 'e2', lookAt: 3_000 });
  expect(indices(two.actions)).toEqual([1, 0, 2]); // what the attempt is at itself comes first
});

test('R15.2 R14.3 a job that is to be looked at is the next, and the others stay as they are', () => {
  const two = submitted(submitted(batch, 0, 5_000), 2, 3_000);
  const ready = readied(two, [2]);
  expect(indices(nextGroup(run, ready))).toEqual([2]);
  expect(ready.pending).toEqual({ 0: { effect: 'e0', lookAt: 5_000 } });
  const told = after(ready, [{ action: action(2, { job: true }), tries: undefined, shown: true }]);
  expect(nextGroup(run, told)).toEqual([]);
  const last = readied(told, [0]);
  expect(last.pending).toBeUndefined();
  expect(indices(last.actions)).toEqual([0, 1]);
});

test('R15.2 a batch without jobs is the same afterwards', () => {
  expect(readied(batch, [])).toBe(batch);
  expect(nextJob(batch)).toBeUndefined();
});
