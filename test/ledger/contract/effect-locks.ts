import { decideClaim } from '../../../src/domain/effect/claim';
import type { World } from './contract-world';
import { claimed, freshOperation, refund, sceneOf } from './effect-rows';
import { hashOf, look } from './rows';

/** Long enough that whoever does not wait is through, ms; who waits, waits for as long as it takes. */
const aWhileMs = 60;

/** A transaction that has looked at a scene and stays open until it is let go. */
function held(world: World, of: Parameters<typeof refund>[0], order: string[]) {
  const row = refund(of);
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let began = () => {};
  const open = new Promise<void>((resolve) => {
    began = resolve;
  });
  const done = world()
    .attempt()
    .then((ref) =>
      look(world().port(), ref, async (tx) => {
        await tx.effectScene(sceneOf(row));
        began();
        await released;
        tx.insertEffect(row);
        order.push('holder');
      }),
    );
  return { row, open, done, letGo };
}

export function effectLockContract(world: World): void {
  test.each([
    ['key', ({ key }: { key: string; target: string }) => ({ key, target: 'order:another' })],
    ['target', ({ target }: { key: string; target: string }) => ({ key: 'create_refund/another', target })],
  ])('E2 E7 who looks at the same %s waits, and sees what the one before wrote', async (what, same) => {
    const order: string[] = [];
    const operation = freshOperation();
    const holder = held(world, operation, order);
    await holder.open;
    const ref = await world().attempt();
    const waiter = look(world().port(), ref, async (tx) => {
      const scene = await tx.effectScene({ ...same(operation), step: 1, index: 0 });
      order.push('waiter');
      return scene;
    });
    await new Promise((resolve) => setTimeout(resolve, aWhileMs));
    holder.letGo();
    await holder.done;

    expect((await waiter).newest?.key).toBe(what === 'key' ? operation.key : undefined);
    expect(order).toEqual(['holder', 'waiter']);
  });

  test('E2 who looks at another key of another target does not wait', async () => {
    const order: string[] = [];
    const holder = held(world, freshOperation(), order);
    await holder.open;
    const ref = await world().attempt();
    await look(world().port(), ref, async (tx) => {
      await tx.effectScene(sceneOf(refund(freshOperation())));
      order.push('other');
    });
    holder.letGo();
    await holder.done;
    expect(order).toEqual(['other', 'holder']);
  });

  test('R4.3 of many claims of one key at once, from several processes, one makes the row', async () => {
    const operation = freshOperation();
    const worker = await world().worker();
    const ports = [world().port(), world().port(), world().port(), world().port()];
    const refs = await Promise.all(Array.from({ length: 64 }, () => world().attempt()));
    const kinds = await Promise.all(
      refs.map((ref, i) => {
        const row = refund({ ...operation, phase: 'SENT' });
        return ports[i % 4]?.transact(ref, { n: 1 }, async (tx) => {
          const claim = decideClaim(await tx.effectScene(sceneOf(row)), row.argsHash);
          if (claim.kind === 'take') {
            tx.claim({ id: row.owner, worker: worker.id, kind: 'act', argsHash: hashOf('c') });
            tx.insertEffect({ ...row, generation: claim.generation });
          }
          return claim.kind;
        });
      }),
    );
    expect(kinds.filter((kind) => kind === 'take')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'busy')).toHaveLength(63);
  });

  test('E2 a row that another attempt took since it was read is not written: the transaction is done again', async () => {
    const [ref, taker] = [await world().attempt(), await world().attempt()];
    const worker = await world().worker();
    const row = await claimed(world().port(), ref, worker, freshOperation());
    await look(world().port(), ref, (tx) => tx.endExecution(row.owner), { n: 1 });
    const seen: string[] = [];
    await look(world().port(), ref, async (tx) => {
      const own = await tx.effectOf(1, 0);
      seen.push(own?.effect.phase ?? 'none');
      if (seen.length === 1) {
        await look(world().port(), taker, async (other) => {
          const claim = decideClaim(await other.effectScene(sceneOf(row)), row.argsHash);
          if (claim.kind !== 'take' || !claim.release) throw new Error(`not taken: ${claim.kind}`);
          other.updateEffect(claim.release, claim.release.fence, { phase: 'NOT_COMMITTED', settledBy: 'runtime' });
          other.insertEffect(refund({ ...row, generation: claim.generation }));
        });
      }
      if (own?.effect.phase === 'CLAIMED') tx.updateEffect(row, 1, { phase: 'SENT', sent: true });
      tx.update({ acked: tx.attempt.acked + 1 });
    });

    expect(seen).toEqual(['CLAIMED', 'NOT_COMMITTED']);
    expect(await look(world().port(), ref, (tx) => tx.effect(row))).toMatchObject({ phase: 'NOT_COMMITTED' });
    expect(await look(world().port(), ref, (tx) => tx.attempt.acked)).toBe(1);
  });

  test('a transaction looks at one target and one key, before it counts calls', async () => {
    const ref = await world().attempt();
    const scene = sceneOf(refund(freshOperation()));
    const twice = look(world().port(), ref, async (tx) => {
      await tx.effectScene(scene);
      await tx.effectScene(scene);
      await tx.effectScene({ ...scene, key: 'create_refund/second' });
    });
    await expect(twice).rejects.toThrow('one target and one key');
    const late = look(world().port(), ref, async (tx) => {
      await tx.callsWithin('create_refund', 1_000);
      await tx.effectScene(scene);
    });
    await expect(late).rejects.toThrow('counted');
  });
}
