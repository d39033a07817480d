import { type Operation, operationOf } from '../../../src/activities/effects/operation';
import type { WriteTool } from '../../../src/activities/ports';
import { attemptId } from '../../../src/protocol/ids';

type Args = Readonly<Record<string, unknown>>;
const args: Args = { orderId: '1042', amount: 40 };

function operation(
  tool: Partial<WriteTool>,
  {
    by = 'refund',
    number = 1,
    step = 1,
    given = args,
  }: { by?: string; number?: number; step?: number; given?: Args } = {},
): Operation {
  const ref = { tenant: 'default', id: attemptId(by, number), key: 1 };
  const whole = { name: 'create_refund', effect: 'deduplicated', ...tool } as WriteTool;
  return operationOf(whole, given, { ref, start: {} as never }, step, 0);
}
const byOrder = { businessKey: ({ orderId }: { orderId: string }) => orderId };

test('R1.4 two actions with one business key are one operation, whichever attempt or task they are of', () => {
  const first = operation(byOrder);
  expect(first).toMatchObject({ key: 'create_refund/1042', target: 'create_refund/1042' });
  expect(operation(byOrder, { step: 7 })).toEqual(first);
  expect(operation(byOrder, { by: 'other', number: 3 })).toEqual(first);
});

test('R1.4 without a business key each action is an operation of its own, whatever its arguments', () => {
  const keys = [
    operation({}),
    operation({}, { step: 2 }),
    operation({}, { number: 2 }),
    operation({}, { by: 'other' }),
  ];
  expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
  expect(operation({ businessKey: () => undefined }).key).toBe(operation({}).key);
});

test('R1.4 a key of a task is the same in its attempts, and another in another task', () => {
  const task = { ...byOrder, scope: 'task' } as const;
  expect(operation(task, { number: 2 })).toEqual(operation(task));
  expect(operation(task, { by: 'other' }).key).not.toBe(operation(task).key);
  expect(operation(task).key).not.toBe(operation(byOrder).key);
});

test('E1 only the arguments that make the operation what it is are bound', () => {
  const told = { orderId: '1042', amount: 40, comment: 'Sorry!' };
  const bound = { ...byOrder, operationArguments: ['orderId', 'amount'] };
  expect(operation(bound, { given: told }).argsHash).toBe(operation(bound).argsHash);
  expect(operation(bound, { given: { ...told, amount: 41 } }).argsHash).not.toBe(operation(bound).argsHash);
  expect(operation(byOrder, { given: told }).argsHash).not.toBe(operation(byOrder).argsHash);
});

test('E1 no business key can be taken for another one, or for a key of another kind', () => {
  const keyed = (key: string, name = 'create_refund') => operation({ name, businessKey: () => key }).key;
  const keys = [
    keyed('1042'),
    keyed('1042', 'create'),
    keyed('refund/1042'),
    keyed('refund%2F1042'),
    keyed('~refund/1042'),
    keyed('x'.repeat(200)),
    keyed(`${'x'.repeat(199)}y`),
    operation({ ...byOrder, scope: 'task' }).key,
    operation({}).key,
  ];
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key.length).toBeLessThanOrEqual(200);
});
