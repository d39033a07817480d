import type { World } from './contract-world';
import { action, look, observation } from './rows';

/** Remote jobs, as a transaction reads and writes them (R15.2). */
export function jobContract(world: World): void {
  const place = { step: 1, index: 0 };
  const told = { handle: 'j-1', effect: 'default/convert/1/g1', mine: true };
  const row = { ...place, ...told, state: 'running', next_poll_at: 2_000, ends_by: 9_000, output: null } as const;
  const submitted = async () => {
    const [ref, port] = [await world().attempt(), world().port()];
    await port.transact(ref, { n: 1 }, (tx) => {
      tx.insert('actions', action({ ...place, tool: 'convert' }));
      tx.insert('jobs', row);
      tx.insert('job_tokens', { ...place, hash: 'a'.repeat(64) });
    });
    return { ref, port };
  };

  test('R15.2 a job is read as it was submitted, with the tool of its action, and no other action has it', async () => {
    const { ref, port } = await submitted();
    const job = {
      ...place,
      tool: 'convert',
      ...told,
      state: 'running',
      polls: 0,
      nextPollAt: 2_000,
      endsBy: 9_000,
      output: null,
      cancelAsked: false,
    };
    expect(await look(port, ref, (tx) => tx.job(place))).toEqual(job);
    expect(await look(port, ref, (tx) => tx.job({ step: 1, index: 1 }))).toBeUndefined();
    expect(await look(port, ref, (tx) => tx.runningJobs())).toEqual([job]);
    expect(await look(port, await world().attempt(), (tx) => tx.runningJobs())).toEqual([]);
  });

  test('R15.2 a change of a job stands, and one that has ended runs no more', async () => {
    const { ref, port } = await submitted();
    await port.transact(ref, { n: 2 }, (tx) => tx.changeJob(place, { polls: 3, nextPollAt: 4_000, cancelAsked: true }));
    expect(await look(port, ref, (tx) => tx.job(place))).toMatchObject({
      polls: 3,
      nextPollAt: 4_000,
      cancelAsked: true,
      state: 'running',
    });
    const { jobs } = await look(port, ref, (tx) => tx.standing());
    expect(jobs).toEqual([{ ...place, tool: 'convert', handle: row.handle }]);
    await port.transact(ref, { n: 3 }, (tx) => tx.changeJob(place, { state: 'failed', output: 'disk full' }));
    expect((await look(port, ref, (tx) => tx.standing())).jobs).toEqual([]);
    expect(await look(port, ref, (tx) => tx.job(place))).toMatchObject({ state: 'failed', output: 'disk full' });
    expect(await look(port, ref, (tx) => tx.runningJobs())).toEqual([]);
  });

  test('R15.2 what a step waits for are its jobs that the model knows no end of', async () => {
    const { ref, port } = await submitted();
    const waited = (step: number) => look(port, ref, (tx) => tx.unobservedJobs(step));
    await port.transact(ref, { n: 2 }, (tx) => {
      tx.insert('actions', action({ step: 1, index: 1, tool: 'convert' }));
      tx.insert('jobs', { ...row, index: 1, state: 'failed' });
    });
    expect(await waited(1)).toMatchObject([{ index: 0 }, { index: 1, state: 'failed' }]);
    expect(await waited(2)).toEqual([]);
    await port.transact(ref, { n: 3 }, (tx) => {
      tx.insert('observations', observation({ step: 1, index: 0 }));
      tx.emit({ type: 'action_finished', payload: { index: 0, tool: 'convert', ok: true, bytes: 0 } });
    });
    expect(await waited(1)).toMatchObject([{ index: 1 }]);
  });

  test('R15.2 a token is known by its hash, and only for the action that it was made for', async () => {
    const { ref, port } = await submitted();
    const known = (of: typeof place, hash: string) => look(port, ref, (tx) => tx.isJobToken(of, hash));
    expect(await known(place, 'a'.repeat(64))).toBe(true);
    expect(await known(place, 'b'.repeat(64))).toBe(false);
    expect(await known({ step: 1, index: 1 }, 'a'.repeat(64))).toBe(false);
  });
}
