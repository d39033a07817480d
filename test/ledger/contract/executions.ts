import { randomUUID } from 'node:crypto';
import type { AttemptRef } from '../../../src/protocol/ids';
import type { World } from './contract-world';
import { hashOf, look } from './rows';

export function executionContract(world: World): void {
  const claim = async (ref: AttemptRef, n: number, worker: { id: string }) => {
    const id = randomUUID();
    await world()
      .port()
      .transact(ref, { n }, (tx) => tx.claim({ id, worker: worker.id, kind: 'think', argsHash: hashOf('b') }));
    return id;
  };
  const execution = (ref: AttemptRef, n: number) => look(world().port(), ref, (tx) => tx.execution, { n });

  test('M9 a claim is an execution, alive while its worker is', async () => {
    const [ref, worker] = [await world().attempt(), await world().worker()];
    const id = await claim(ref, 1, worker);

    expect(await execution(ref, 1)).toEqual({ id, kind: 'think', argsHash: hashOf('b'), live: true });
    expect(await execution(ref, 2)).toBeUndefined();
    await worker.end();
    expect(await execution(ref, 1)).toEqual({ id, kind: 'think', argsHash: hashOf('b'), live: false });
  });

  test('M9 an execution that ended without an answer is dead, and another takes its place', async () => {
    const [ref, worker] = [await world().attempt(), await world().worker()];
    const first = await claim(ref, 1, worker);
    await look(world().port(), ref, (tx) => tx.endExecution(first), { n: 1 });
    expect(await execution(ref, 1)).toMatchObject({ id: first, live: false });

    const second = await claim(ref, 1, worker);
    await look(world().port(), ref, (tx) => tx.endExecution(first), { n: 1 });
    expect(await execution(ref, 1)).toMatchObject({ id: second, live: true });
  });

  test('M1 an answer ends the execution of its number', async () => {
    const [ref, worker] = [await world().attempt(), await world().worker()];
    await claim(ref, 1, worker);
    await look(
      world().port(),
      ref,
      (tx) => tx.answer('think', hashOf('b'), { answer: { kind: 'interrupted' }, acked: 2 }),
      { n: 1 },
    );

    expect(await execution(ref, 1)).toBeUndefined();
    expect(await look(world().port(), ref, (tx) => tx.answered, { n: 1 })).toEqual({
      kind: 'think',
      argsHash: hashOf('b'),
      answered: { answer: { kind: 'interrupted' }, acked: 2 },
    });
  });

  test('R11.3 other executions of an attempt are counted while they live', async () => {
    const [ref, other] = [await world().attempt(), await world().attempt()];
    const [worker, doomed] = [await world().worker(), await world().worker()];
    await claim(ref, 1, worker);
    const second = await claim(ref, 2, worker);
    await claim(ref, 3, doomed);
    await claim(other, 4, worker);
    const others = (n: number) => look(world().port(), ref, (tx) => tx.otherExecutions(), { n });

    expect(await others(9)).toBe(3);
    expect(await others(1)).toBe(2);
    await look(world().port(), ref, (tx) => tx.endExecution(second), { n: 2 });
    await doomed.end();
    expect(await others(9)).toBe(1);
  });
}
