import { randomUUID } from 'node:crypto';
import type { World } from './contract-world';
import { hashOf, look } from './rows';

export function bundleContract(world: World): void {
  const bundle = (snapshot: string, thinOn: string | null, of = 'a') => ({
    snapshot,
    thinOn,
    hash: hashOf(of),
    bytes: 7,
  });

  test('a snapshot is read from its bundles, oldest first; the first that is kept of it stands; a tenant has its own', async () => {
    const ref = await world().attempt();
    const [one, two] = [randomUUID(), randomUUID()];
    await look(world().port(), ref, (tx) => tx.keepBundle(bundle(one, null)));
    await look(world().port(), ref, (tx) => tx.keepBundle(bundle(two, one, 'b')), { n: 2 });
    await look(world().port(), ref, (tx) => tx.keepBundle(bundle(two, null, 'c')), { n: 3 });

    expect(await world().port().bundles(ref.tenant, two)).toEqual([bundle(one, null), bundle(two, one, 'b')]);
    expect(await world().port().bundles(ref.tenant, one)).toEqual([bundle(one, null)]);
    expect(await world().port().bundles(ref.tenant, randomUUID())).toEqual([]);
    expect(await world().port().bundles('another', two)).toEqual([]);
  });

  test('M9 a host lives while one of its workers has a lease', async () => {
    const [ref, host] = [await world().attempt(), randomUUID()];
    const lives = () => look(world().port(), ref, (tx) => tx.hostLives(host));
    expect(await lives()).toBe(false);

    const workers = [await world().worker(host), await world().worker(host), await world().worker()];
    expect(await lives()).toBe(true);
    await workers[0]?.end();
    expect(await lives()).toBe(true);
    await workers[1]?.end();
    expect(await lives()).toBe(false);
  });

  test('an attempt says which host has its worktree', async () => {
    const ref = await world().attempt();
    expect((await world().port().attempt(ref)).host).toBeNull();
    await look(world().port(), ref, (tx) => tx.update({ host: 'one' }));
    expect((await world().port().attempt(ref)).host).toBe('one');
  });
}
