import type { World } from './contract-world';
import { action, hashOf, look, observation } from './rows';

export function otherActionContract(world: World): void {
  test('R4.9 a revocation is of one tenant, and the first that meets is told', async () => {
    const [ref, other] = [await world().attempt({ tenant: 'revokes' }), await world().attempt()];
    const by = { reason: 'Fraud.', by: 'ana' };
    await world().revoke('revokes', { kind: 'target', value: 'order:1', ...by });
    await world().revoke('revokes', { kind: 'tool', value: 'create_refund', reason: 'Later.', by: 'ben' });
    const asks = [
      { kind: 'tool', value: 'create_refund' },
      { kind: 'target', value: 'order:1' },
    ] as const;

    expect(await look(world().port(), ref, (tx) => tx.revoked(asks))).toEqual({
      kind: 'target',
      value: 'order:1',
      ...by,
    });
    expect(await look(world().port(), ref, (tx) => tx.revoked([{ kind: 'tool', value: 'order:1' }]))).toBeUndefined();
    expect(await look(world().port(), ref, (tx) => tx.revoked([]))).toBeUndefined();
    expect(await look(world().port(), other, (tx) => tx.revoked(asks))).toBeUndefined();
  });

  test('R5.2 an earlier action that asked for the same and was denied is found with its code', async () => {
    const ref = await world().attempt();
    const policy = { rule: 'no', policy: 'p1' };
    const act = (step: number, index: number, args_hash: string, code?: string) =>
      look(
        world().port(),
        ref,
        (tx) => {
          tx.update({ step });
          tx.insert('actions', action({ step, index, args_hash }));
          if (code) tx.emit({ type: 'action_denied', payload: { index, tool: 'create_refund', code, ...policy } });
        },
        { n: step * 10 + index },
      );
    await act(1, 0, hashOf('a'), 'POLICY_DENIED');
    await act(1, 1, hashOf('b'));
    await act(2, 0, hashOf('a'), 'APPROVAL_DENIED');
    await act(2, 1, hashOf('b'), 'REVOKED');
    await act(3, 0, hashOf('a'), 'GOAL_REVISED');
    const before = (step: number, index: number, digit: string, tool = 'create_refund') =>
      look(world().port(), ref, (tx) => tx.deniedBefore(tool, hashOf(digit), step, index));

    expect(await before(3, 0, 'a')).toEqual({ code: 'APPROVAL_DENIED' });
    expect(await before(4, 0, 'a')).toEqual({ code: 'APPROVAL_DENIED' });
    expect(await before(2, 0, 'a')).toEqual({ code: 'POLICY_DENIED' });
    expect(await before(1, 0, 'a')).toBeUndefined();
    expect(await before(2, 1, 'b')).toBeUndefined();
    expect(await before(3, 0, 'a', 'other')).toBeUndefined();
  });

  test('R4.3 what another action of the tenant asked for and saw can be shown; of another tenant nothing', async () => {
    const [ref, reader, stranger] = [
      await world().attempt(),
      await world().attempt(),
      await world().attempt({ tenant: 'stranger' }),
    ];
    await look(world().port(), ref, (tx) => {
      tx.insert('actions', action());
      tx.insert('observations', observation({ ok: false, body: { text: 'No such order.' } }));
    });
    const of = { attempt: ref.key, step: 1, index: 0 };

    expect(await look(world().port(), reader, (tx) => tx.argumentsOf(of))).toEqual({ text: '{"amount":40}' });
    expect(await look(world().port(), reader, (tx) => tx.observationOf(of))).toEqual({
      ok: false,
      text: 'No such order.',
    });
    expect(await look(world().port(), reader, (tx) => tx.observationOf({ ...of, index: 1 }))).toBeUndefined();
    expect(await look(world().port(), stranger, (tx) => tx.argumentsOf(of))).toBeUndefined();
    expect(await look(world().port(), stranger, (tx) => tx.observationOf(of))).toBeUndefined();
  });

  test('R11.2 a cancel was asked for when the first that was taken had been stored', async () => {
    const ref = await world().attempt();
    const at = () => look(world().port(), ref, (tx) => tx.cancelRequestedAt());
    await world().send(ref, { id: 'first', kind: 'cancel', body: { by: 'ana' } });
    await world().send(ref, { id: 'second', kind: 'cancel', body: { by: 'ben' } });
    const stored = await look(world().port(), ref, (tx) => tx.messages.map((message) => message.at));
    expect(await at()).toBeUndefined();
    await look(world().port(), ref, (tx) => {
      tx.dispose('first', 'rejected', 'No.');
      tx.dispose('second', 'taken');
    });
    expect(await at()).toEqual(stored[1]);
  });

  test('E6 whether a time has passed is asked of the one clock', async () => {
    const ref = await world().attempt();
    await world().send(ref, { id: 'now', kind: 'cancel', body: { by: 'ana' } });
    await look(world().port(), ref, async (tx) => {
      const since = tx.messages[0]?.at ?? new Date(Number.NaN);
      expect(await tx.hasPassed(since, 0)).toBe(true);
      expect(await tx.hasPassed(since, 3_600_000)).toBe(false);
      expect(await tx.hasPassed(new Date(since.getTime() - 7_200_000), 3_600_000)).toBe(true);
    });
  });
}
