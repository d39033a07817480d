import type { ApprovalAnswer } from '../../../src/activities/ledger-port';
import type { World } from './contract-world';
import { request } from './effect-rows';
import { look } from './rows';

const yes = (by: string): ApprovalAnswer => ({
  by,
  answer: 'approve',
  channel: 'asserted',
  messageId: `message-${by}`,
});

export function approvalContract(world: World): void {
  test('R5.3 a request is open until it is decided, with all that it is bound to', async () => {
    const ref = await world().attempt();
    const { terms, ...bound } = request();
    expect(await look(world().port(), ref, (tx) => tx.approval(1, 0))).toBeUndefined();
    await look(world().port(), ref, (tx) => tx.insertApproval(request()));

    const open = { ...bound, approvers: terms.approvers, needed: 2, channel: 'asserted', state: 'open', answers: [] };
    expect(await look(world().port(), ref, (tx) => tx.approval(1, 0))).toEqual(open);
    expect(await look(world().port(), ref, (tx) => tx.waitingApprovals())).toEqual([open]);
  });

  test('R5.5 the answers that counted are kept with who, how and why', async () => {
    const ref = await world().attempt();
    const denial: ApprovalAnswer = { ...yes('ben'), answer: 'deny', channel: 'authenticated', reason: 'Too much.' };
    await look(world().port(), ref, (tx) => tx.insertApproval(request()));
    await look(world().port(), ref, (tx) => tx.insertApprovalAnswer(request(), yes('ana')));
    await look(world().port(), ref, (tx) => tx.insertApprovalAnswer(request(), denial));
    expect((await look(world().port(), ref, (tx) => tx.approval(1, 0)))?.answers).toEqual([yes('ana'), denial]);

    const again = look(world().port(), ref, (tx) => tx.insertApprovalAnswer(request(), yes('ana')));
    await expect(again).rejects.toThrow();
  });

  test('E8 an action has one request after the other; those that wait are open or granted', async () => {
    const ref = await world().attempt();
    const close = (step: number, index: number, ordinal: number, state: 'granted' | 'voided' | 'spent' | 'expired') =>
      look(world().port(), ref, (tx) => tx.closeApproval({ step, index, ordinal }, state));
    const waiting = async () =>
      (await look(world().port(), ref, (tx) => tx.waitingApprovals())).map(({ step, index, ordinal, state }) => [
        `s${step}.a${index}/${ordinal}`,
        state,
      ]);
    await look(world().port(), ref, (tx) => {
      tx.insertApproval(request());
      tx.insertApproval(request({ index: 1 }));
    });
    await close(1, 0, 1, 'voided');
    await look(world().port(), ref, (tx) => tx.insertApproval(request({ ordinal: 2, expiresAt: 5 })));
    await close(1, 1, 1, 'granted');
    expect(await waiting()).toEqual([
      ['s1.a1/1', 'granted'],
      ['s1.a0/2', 'open'],
    ]);
    expect(await look(world().port(), ref, (tx) => tx.approval(1, 0))).toMatchObject({ ordinal: 2, expiresAt: 5 });

    await close(1, 0, 2, 'expired');
    await close(1, 1, 1, 'spent');
    expect(await waiting()).toEqual([]);
    expect(await look(world().port(), ref, (tx) => tx.approval(1, 1))).toMatchObject({ state: 'spent' });
  });

  test('a request can be made and decided in one transaction, and decided twice', async () => {
    const ref = await world().attempt();
    await look(world().port(), ref, (tx) => {
      tx.insertApproval(request());
      tx.closeApproval(request(), 'voided');
      tx.insertApproval(request({ index: 1 }));
    });
    await look(world().port(), ref, (tx) => {
      tx.closeApproval(request({ index: 1 }), 'granted');
      tx.closeApproval(request({ index: 1 }), 'spent');
    });
    expect(await look(world().port(), ref, (tx) => tx.approval(1, 0))).toMatchObject({ state: 'voided' });
    expect(await look(world().port(), ref, (tx) => tx.approval(1, 1))).toMatchObject({ state: 'spent' });
  });
}
