import { emptyAccount } from '../../../src/domain/budget/account';
import type { AttemptRef } from '../../../src/protocol/ids';
import type { World } from './contract-world';
import { hashOf, look, observation } from './rows';

export function transactionContract(world: World): void {
  test('I2 what a transaction writes lands together', async () => {
    const ref = await world().attempt();
    await world()
      .port()
      .transact(ref, { n: 1 }, (tx) => {
        tx.update({ state: 'WAITING_FOR_MODEL', step: 1 });
        tx.emit({ type: 'message_taken', payload: { messageId: 'a', kind: 'say' } });
        tx.answer('record', hashOf('a'), { answer: { kind: 'none' }, acked: 0 });
      });

    expect(await look(world().port(), ref, (tx) => tx.attempt)).toMatchObject({ state: 'WAITING_FOR_MODEL', step: 1 });
    expect(await world().events(ref)).toHaveLength(2);
    expect(await look(world().port(), ref, (tx) => tx.answered, { n: 1 })).toEqual({
      kind: 'record',
      argsHash: hashOf('a'),
      answered: { answer: { kind: 'none' }, acked: 0 },
    });
  });

  test('I2 of a transaction that throws nothing lands, and the caller gets what was thrown', async () => {
    const ref = await world().attempt();
    const thrown = world()
      .port()
      .transact(ref, { n: 1 }, (tx) => {
        tx.update({ state: 'WAITING_FOR_MODEL' });
        tx.emit({ type: 'message_taken', payload: { messageId: 'a', kind: 'say' } });
        tx.answer('record', hashOf('a'), { answer: { kind: 'none' }, acked: 0 });
        throw new RangeError('too far');
      });

    await expect(thrown).rejects.toThrow('too far');
    expect(await look(world().port(), ref, (tx) => tx.attempt.state)).toBe('CREATED');
    expect(await look(world().port(), ref, (tx) => tx.answered, { n: 1 })).toBeUndefined();
    expect(await world().events(ref)).toHaveLength(1);
  });

  test('I1 transactions of one attempt follow each other, whichever process they come from', async () => {
    const ref = await world().attempt();
    const ports = [world().port(), world().port(), world().port()];
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        ports[i % ports.length]?.transact(ref, { n: i + 1 }, async (tx) => {
          await tx.otherExecutions(); // lets others come between, if they can
          tx.update({ account: { ...tx.attempt.account, toolCalls: tx.attempt.account.toolCalls + 1 } });
        }),
      ),
    );
    expect(await look(world().port(), ref, (tx) => tx.attempt.account.toolCalls)).toBe(30);
  });

  test('I1 a transaction of another attempt does not wait', async () => {
    const [slow, quick] = [await world().attempt(), await world().attempt()];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = world()
      .port()
      .transact(slow, { n: 1 }, () => released);
    await world()
      .port()
      .transact(quick, { n: 1 }, (tx) => tx.update({ step: 7 }));
    release();
    await held;
    expect(await look(world().port(), quick, (tx) => tx.attempt.step)).toBe(7);
  });

  test('I3 a row is made once: a second of its key fails, and nothing of that transaction lands', async () => {
    const ref = await world().attempt();
    const write = (state: 'EXECUTING_TOOL' | 'DECIDING') =>
      world()
        .port()
        .transact(ref, { n: 1 }, (tx) => {
          tx.insert('observations', observation());
          tx.update({ state });
        });
    await write('EXECUTING_TOOL');

    await expect(write('DECIDING')).rejects.toThrow();
    expect(await look(world().port(), ref, (tx) => tx.attempt.state)).toBe('EXECUTING_TOOL');
  });

  test('M1 a second answer of one number fails', async () => {
    const ref = await world().attempt();
    const answer = () =>
      world()
        .port()
        .transact(ref, { n: 1 }, (tx) => tx.answer('record', hashOf('a'), { answer: { kind: 'none' }, acked: 0 }));
    await answer();
    await expect(answer()).rejects.toThrow();
  });

  test('an attempt begins as its start says', async () => {
    const ref = await world().attempt({
      task: 'begins',
      by: 'ana',
      limits: { maxTurns: 7 },
      versions: { holdfast: '9' },
    });
    const attempt = await world().port().attempt(ref);

    expect(attempt).toMatchObject({
      ref: { tenant: 'default', id: 'begins/1', key: ref.key },
      contractVersion: 1,
      startedBy: 'ana',
      tainted: false,
      state: 'CREATED',
      reason: null,
      modelStop: null,
      turn: 1,
      step: 0,
      acked: 0,
      heard: 1,
      account: { ...emptyAccount, turns: 1 },
      versions: { holdfast: '9' },
      baseCommit: null,
      snapshot: null,
      revisedAfterStep: null,
      compactAfter: 0,
      versionsNoted: null,
      staleTargets: [],
      ended: false,
    });
    expect(attempt.limits.maxTurns).toBe(7);
    expect(await look(world().port(), ref, (tx) => tx.attempt)).toEqual(attempt);
  });

  test('the attempt that a transaction sees has what it changed', async () => {
    const ref = await world().attempt();
    await look(world().port(), ref, (tx) => {
      tx.update({ state: 'SUSPENDED', reason: 'budget_exceeded', modelStop: 'text', snapshot: 'abc', tainted: true });
      tx.update({ limits: { ...tx.attempt.limits, maxTurns: 99 }, turn: 2, heard: 3, acked: 4, baseCommit: 'base' });
      expect(tx.attempt).toMatchObject({ state: 'SUSPENDED', tainted: true, limits: { maxTurns: 99 } });
    });
    expect(await world().port().attempt(ref)).toMatchObject({
      state: 'SUSPENDED',
      reason: 'budget_exceeded',
      modelStop: 'text',
      snapshot: 'abc',
      baseCommit: 'base',
      tainted: true,
      turn: 2,
      heard: 3,
      acked: 4,
      limits: { maxTurns: 99 },
      ended: false,
    });
  });

  test('R12.2 the newest versions that were noted are read again, also where one move noted two', async () => {
    const ref = await world().attempt();
    const versions = { code: 'c', policy: 'p', environment: null, models: { m: '1' }, tools: null };
    expect(await look(world().port(), ref, (tx) => tx.newestVersions())).toBeUndefined();
    for (const code of ['c 1', 'c 2']) {
      await look(world().port(), ref, (tx) => {
        tx.insert('attempt_versions', { n: 1, body: { ...versions, code } });
        tx.update({ versionsNoted: code });
      });
    }
    expect(await look(world().port(), ref, (tx) => tx.newestVersions())).toEqual({ ...versions, code: 'c 2' });
    expect(await world().port().attempt(ref)).toMatchObject({ versionsNoted: 'c 2' });
  });

  test('M8 an end stays', async () => {
    const ref = await world().attempt();
    await look(world().port(), ref, (tx) => {
      tx.update({ state: 'COMPLETED', reason: 'success', taskCompletion: 'met', ended: true });
    });
    await look(world().port(), ref, (tx) => tx.update({ acked: 3 }));
    expect(await world().port().attempt(ref)).toMatchObject({ state: 'COMPLETED', reason: 'success', ended: true });
  });

  test('an attempt that nobody started is an error', async () => {
    const ref = await world().attempt();
    await expect(look(world().port(), { ...ref, key: ref.key + 1_000_000 }, () => 1)).rejects.toThrow();
  });

  test('an attempt sees the contract that it was started under', async () => {
    const [first, second] = [
      await world().attempt({ task: 'versions', contract: { goal: 'One.' } }),
      await world().attempt({ task: 'versions', contract: { goal: 'Two.' } }),
    ];
    expect((await world().port().contract(first)).goal).toBe('One.');
    expect((await world().port().contract(second)).goal).toBe('Two.');
    expect((await world().port().attempt(second)).contractVersion).toBe(2);
  });

  test('R1.2 a new version of a contract has a number of its own; the same one again has the one that it had', async () => {
    const task = 'revised';
    const [ref, beside] = [await world().attempt({ task }), await world().attempt({ task })];
    const revise = (of: AttemptRef, ...revisions: string[]) =>
      look(world().port(), of, async (tx) => {
        const contractVersion = await tx.newContract({ ...(await tx.contract()), revisions });
        tx.update({ contractVersion, revisedAfterStep: tx.attempt.step });
        return [contractVersion, (await tx.contract()).revisions];
      });

    expect(await revise(ref, 'Blue.')).toEqual([2, ['Blue.']]);
    expect(await revise(ref, 'Red.')).toEqual([3, ['Red.']]);
    expect(await revise(beside, 'Blue.')).toEqual([2, ['Blue.']]);

    const port = world().port();
    expect(await port.attempt(ref)).toMatchObject({ contractVersion: 3, revisedAfterStep: 0 });
    expect((await port.contract(ref, 3)).revisions).toEqual(['Red.']);
    expect((await port.contract(ref, 2)).revisions).toEqual(['Blue.']);
    expect((await port.contract(ref)).revisions).toBeUndefined(); // what it was started with
    expect((await port.view(beside)).attempt.contractVersion).toBe(2);
  });

  test('R1.2 a contract of a transaction that comes to nothing is none', async () => {
    const ref = await world().attempt();
    const fails = look(world().port(), ref, async (tx) => {
      await tx.newContract({ ...(await tx.contract()), revisions: ['No.'] });
      throw new Error('Rolled back.');
    });
    await expect(fails).rejects.toThrow('Rolled back.');
    const next = await look(world().port(), ref, async (tx) =>
      tx.newContract({ ...(await tx.contract()), revisions: ['Yes.'] }),
    );
    expect(next).toBe(2);
  });
}
