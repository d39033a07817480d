import { randomUUID } from 'node:crypto';
import type { World } from './contract-world';
import { claimed, freshOperation, refund, sceneOf } from './effect-rows';
import { hashOf, look } from './rows';

export function effectContract(world: World): void {
  test('R4.2 a claim is a row with all that is asked of it', async () => {
    const [ref, worker] = [await world().attempt({ task: 'claims' }), await world().worker()];
    const operation = freshOperation();
    const ask = { ...operation, step: 1, index: 0 };
    expect(await look(world().port(), ref, (tx) => tx.effectScene(ask))).toEqual({
      own: undefined,
      newest: undefined,
      blocker: undefined,
      sends: [],
    });
    const row = await claimed(world().port(), ref, worker, operation);
    const effect = {
      ...operation,
      generation: 1,
      attempt: ref.key,
      attemptId: 'claims/1',
      step: 1,
      index: 0,
      tool: 'create_refund',
      effectClass: 'deduplicated',
      argsHash: hashOf('a'),
      phase: 'CLAIMED',
      fence: 1,
      owner: row.owner,
      ownerLive: true,
      sentAt: null,
      resend: false,
      approval: null,
      committedAt: null,
      downstreamId: null,
      settledBy: null,
      outcome: null,
      authorization: { rule: 'small-refunds', policy: 'p1' },
    };

    expect(await look(world().port(), ref, (tx) => tx.effectScene(ask))).toEqual({
      own: effect,
      newest: effect,
      blocker: undefined,
      sends: [],
    });
    expect(await look(world().port(), ref, (tx) => tx.effectOf(1, 0))).toEqual({ effect, sends: [] });
    expect(await look(world().port(), ref, (tx) => tx.effect(row))).toEqual(effect);
    expect(await look(world().port(), ref, (tx) => tx.ownEffects())).toEqual([effect]);
    expect(await look(world().port(), ref, (tx) => tx.effectOf(1, 1))).toBeUndefined();
    expect(await look(world().port(), ref, (tx) => tx.effect({ ...row, generation: 2 }))).toBeUndefined();
  });

  test('E2 an owner lives until it answers, ends, is taken over or loses its lease', async () => {
    const worker = await world().worker();
    const live = async (end: 'works' | 'answers' | 'ends' | 'is taken over' | 'loses its lease') => {
      const ref = await world().attempt();
      const row = await claimed(world().port(), ref, worker, freshOperation());
      await look(
        world().port(),
        ref,
        (tx) => {
          if (end === 'answers') tx.answer('act', hashOf('c'), { answer: { kind: 'unknown' }, acked: 0 });
          if (end === 'ends') tx.endExecution(row.owner);
          if (end === 'is taken over')
            tx.claim({ id: randomUUID(), worker: worker.id, kind: 'act', argsHash: hashOf('c') });
        },
        { n: 1 },
      );
      if (end === 'loses its lease') await worker.end();
      return (await look(world().port(), ref, (tx) => tx.effect(row)))?.ownerLive;
    };
    expect(await live('works')).toBe(true);
    expect(await live('answers')).toBe(false);
    expect(await live('ends')).toBe(false);
    expect(await live('is taken over')).toBe(false);
    expect(await live('loses its lease')).toBe(false);
  });

  test('E1 the newest generation of a key is found whoever owns it, and that of an action whatever came after', async () => {
    const [ref, other, worker] = [await world().attempt(), await world().attempt(), await world().worker()];
    const operation = freshOperation();
    const first = await claimed(world().port(), ref, worker, operation);
    await look(world().port(), ref, (tx) =>
      tx.updateEffect(first, 1, { phase: 'NOT_COMMITTED', settledBy: 'runtime' }),
    );
    const second = await claimed(world().port(), other, worker, { ...operation, generation: 2, step: 4, index: 2 });

    expect(await look(world().port(), ref, (tx) => tx.effectScene(sceneOf(first)))).toMatchObject({
      own: { generation: 1, attempt: ref.key, phase: 'NOT_COMMITTED', settledBy: 'runtime' },
      newest: { generation: 2, attempt: other.key, step: 4, index: 2 },
    });
    expect(await look(world().port(), other, (tx) => tx.effectScene(sceneOf(second)))).toMatchObject({
      own: { generation: 2 },
      newest: { generation: 2 },
    });
    expect(await look(world().port(), ref, (tx) => tx.ownEffects())).toHaveLength(1);
  });

  test('E1 of the generations that an action owned, the one claimed last counts', async () => {
    const [ref, worker] = [await world().attempt(), await world().worker()];
    const operation = freshOperation();
    for (const generation of [1, 2]) await claimed(world().port(), ref, worker, { ...operation, generation });
    expect((await look(world().port(), ref, (tx) => tx.effectOf(1, 0)))?.effect.generation).toBe(2);
  });

  test('a key is of one tenant', async () => {
    const [ref, other] = [await world().attempt(), await world().attempt({ tenant: 'other' })];
    const row = await claimed(world().port(), ref, await world().worker(), freshOperation());
    await look(world().port(), ref, (tx) => tx.updateEffect(row, 1, { phase: 'UNKNOWN', sent: true }));

    expect(await look(world().port(), other, (tx) => tx.effectScene(sceneOf(row)))).toMatchObject({
      newest: undefined,
      blocker: undefined,
    });
    const elsewhere = { ...sceneOf(row), key: 'create_refund/elsewhere' };
    expect(await look(world().port(), other, (tx) => tx.effectScene(elsewhere))).toMatchObject({ blocker: undefined });
  });

  test('E7 on a target stands what is being claimed or sent, and what is not known', async () => {
    const ref = await world().attempt();
    const [worker, doomed] = [await world().worker(), await world().worker()];
    const blocker = async (phase: 'CLAIMED' | 'SENT' | 'UNKNOWN' | 'COMMITTED', by: { id: string }) => {
      const owner = await world().attempt();
      const row = await claimed(world().port(), owner, by, freshOperation());
      await look(world().port(), owner, (tx) => tx.updateEffect(row, 1, { phase, sent: true }));
      if (by === doomed) await doomed.end();
      const ask = { key: 'create_refund/another', target: row.target, step: 1, index: 0 };
      const scene = await look(world().port(), ref, (tx) => tx.effectScene(ask));
      const own = await look(world().port(), ref, (tx) => tx.effectScene({ ...ask, key: row.key }));
      expect(own.blocker).toBeUndefined();
      return scene.blocker?.key === row.key;
    };
    for (const phase of ['CLAIMED', 'SENT', 'UNKNOWN'] as const) expect(await blocker(phase, worker)).toBe(true);
    expect(await blocker('COMMITTED', worker)).toBe(false);
    expect(await blocker('SENT', doomed)).toBe(true);
    expect(await blocker('CLAIMED', doomed)).toBe(false);
  });

  test('E2 a claim raises the fence, and who holds an older one writes nothing', async () => {
    const [ref, worker] = [await world().attempt(), await world().worker()];
    const row = await claimed(world().port(), ref, worker, freshOperation());
    const owner = randomUUID();
    const see = () => look(world().port(), ref, (tx) => tx.effect(row));
    await look(world().port(), ref, (tx) => tx.updateEffect(row, 1, { phase: 'SENT', owner, sent: true }), { n: 2 });
    expect(await see()).toMatchObject({ phase: 'SENT', fence: 2, owner, sentAt: expect.any(Date) });

    await look(world().port(), ref, (tx) => tx.updateEffect(row, 1, { phase: 'COMMITTED', committed: true }));
    await look(world().port(), ref, async (tx) => {
      await tx.effect(row);
      tx.updateEffect(row, 1, { phase: 'COMMITTED', committed: true });
    });
    expect(await see()).toMatchObject({ phase: 'SENT', fence: 2, committedAt: null });
  });

  test('R4.1 an outcome is written with its time, its author and what was said', async () => {
    const ref = await world().attempt();
    const row = await claimed(world().port(), ref, await world().worker(), { ...freshOperation(), phase: 'SENT' });
    const sent = await look(world().port(), ref, (tx) => tx.effect(row));
    expect(sent).toMatchObject({ phase: 'SENT', sentAt: expect.any(Date) });
    await look(world().port(), ref, (tx) =>
      tx.updateEffect(row, 1, {
        phase: 'COMMITTED',
        committed: true,
        downstreamId: 'refund-7',
        settledBy: 'probe',
        outcome: 'Refunded\u0000.',
        approval: 3,
        authorization: { rule: 'other', policy: 'p2' },
        resend: true,
      }),
    );
    expect(await look(world().port(), ref, (tx) => tx.effect(row))).toEqual({
      ...sent,
      phase: 'COMMITTED',
      committedAt: expect.any(Date),
      downstreamId: 'refund-7',
      settledBy: 'probe',
      outcome: expect.stringMatching(/^Refunded.\.$/),
      approval: 3,
      authorization: { rule: 'other', policy: 'p2' },
      resend: true,
    });
  });

  test('R4.5 the time of the first send stands, until the only send proves to have been none', async () => {
    const ref = await world().attempt();
    const row = await claimed(world().port(), ref, await world().worker(), { ...freshOperation(), phase: 'SENT' });
    const change = async (sent: true | null) => {
      await look(world().port(), ref, (tx) => tx.updateEffect(row, 1, { sent }));
      return (await look(world().port(), ref, (tx) => tx.effect(row)))?.sentAt;
    };
    const first = (await look(world().port(), ref, (tx) => tx.effect(row)))?.sentAt;
    expect(await change(true)).toEqual(first);
    expect(await change(null)).toBeNull();
    expect(await change(true)).toBeInstanceOf(Date);
  });

  test('several changes of a row in one transaction are one', async () => {
    const ref = await world().attempt();
    const row = refund(freshOperation());
    const see = () => look(world().port(), ref, (tx) => tx.effect(row));
    await look(world().port(), ref, (tx) => {
      tx.insertEffect(row);
      tx.updateEffect(row, 1, { phase: 'SENT', sent: true });
    });
    expect(await see()).toMatchObject({ phase: 'SENT', fence: 1, sentAt: expect.any(Date) });
    await look(world().port(), ref, (tx) => {
      tx.updateEffect(row, 1, { phase: 'UNKNOWN' });
      tx.updateEffect(row, 1, { phase: 'SENT', owner: randomUUID() });
      tx.updateEffect(row, 1, { phase: 'NOT_COMMITTED' });
      tx.updateEffect(row, 2, { phase: 'COMMITTED', committed: true, settledBy: 'late' });
    });
    expect(await see()).toMatchObject({ phase: 'COMMITTED', fence: 2, settledBy: 'late' });
  });

  test('a key and a target may hold what databases do not take', async () => {
    const ref = await world().attempt();
    const operation = freshOperation();
    const target = `${operation.target}\u0000${'long '.repeat(2_000)}`;
    const row = await claimed(world().port(), ref, await world().worker(), { ...operation, target });
    await look(world().port(), ref, (tx) => tx.updateEffect(row, 1, { phase: 'UNKNOWN', sent: true }));
    const ask = { key: 'create_refund/beside', target, step: 1, index: 0 };
    expect((await look(world().port(), ref, (tx) => tx.effectScene(ask))).blocker?.key).toBe(row.key);
  });

  test('E7 an attempt waits for one effect at a time', async () => {
    const [ref, other, worker] = [await world().attempt(), await world().attempt(), await world().worker()];
    const [first, second] = [
      await claimed(world().port(), other, worker, freshOperation()),
      await claimed(world().port(), other, worker, { ...freshOperation(), index: 1 }, 2),
    ];
    const waits = async (change?: (typeof first | undefined)[]) => {
      if (change) await look(world().port(), ref, (tx) => tx.waitForEffect(change[0]));
      return (await look(world().port(), ref, (tx) => tx.waitedEffect()))?.key;
    };
    expect(await waits()).toBeUndefined();
    expect(await waits([first])).toBe(first.key);
    expect(await waits([second])).toBe(second.key);
    expect(await waits([undefined])).toBeUndefined();
  });
}
