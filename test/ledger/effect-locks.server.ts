import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { LedgerPort } from '../../src/activities/ledger-port';
import { decideClaim } from '../../src/domain/effect/claim';
import { openLedgerPool } from '../../src/ledger/database';
import { createLedger } from '../../src/ledger/ledger';
import type { AttemptRef } from '../../src/protocol/ids';
import { ledgerDatabase } from '../support/ledger-database';
import { seeded } from '../support/seeded';
import { refund, sceneOf } from './contract/effect-rows';
import { hashOf, openTry } from './contract/rows';
import { started } from './support/ledger';

/** As many transactions as the pools have connections: none waits for one, which has a limit of its own. */
const atOnce = 80;

let pools: Pool[];
let ports: LedgerPort[];
let refs: AttemptRef[];
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await ledgerDatabase();
  drop = database.drop;
  pools = Array.from({ length: 4 }, () => openLedgerPool(database.url));
  ports = pools.map((pool) => createLedger(pool));
  const [pool] = pools;
  if (!pool) throw new Error('no pool');
  refs = await Promise.all(Array.from({ length: 64 }, (_, i) => started(pool, { task: `task-${i}` })));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await drop();
});

const rows = async (query: string) => (await pools[0]?.query(query))?.rows ?? [];
const portOf = (i: number): LedgerPort => {
  const port = ports[i % ports.length];
  if (!port) throw new Error('no port');
  return port;
};

/** One claim as `act` makes it; says what it came to. */
async function submit(i: number, ref: AttemptRef, number: number, argsHash: string, n: number) {
  const key = `refund/${number}`;
  const row = refund({ key, target: `order:${number}`, index: number, argsHash, phase: 'SENT', owner: randomUUID() });
  return portOf(i).transact(ref, { n }, async (tx) => {
    const claim = decideClaim(await tx.effectScene(sceneOf(row)), argsHash);
    if (claim.kind === 'take') tx.insertEffect({ ...row, generation: claim.generation });
    return claim.kind;
  });
}

test('R4.3 64 claims of one key at once from 4 pools make one row', async () => {
  const kinds = await Promise.all(refs.map((ref, i) => submit(i, ref, 1, hashOf('a'), 1)));
  expect(kinds.filter((kind) => kind === 'take')).toHaveLength(1);
  expect(await rows(`select generation, phase from effects where key = 'refund/1'`)).toEqual([
    { generation: 1, phase: 'SENT' },
  ]);
});

test('R4.3 of two sets of arguments under one key one takes effect, and the other is refused', async () => {
  const digitOf = (i: number) => hashOf(i % 2 === 0 ? 'a' : 'b');
  const claims = (n: number) => Promise.all(refs.map((ref, i) => submit(i, ref, 2, digitOf(i), n)));
  await claims(2);
  const [winner] = await rows(`select encode(args_hash, 'hex') as hash from effects where key = 'refund/2'`);
  await pools[0]?.query(
    `update effects set phase = 'COMMITTED', committed_at = now(), settled_by = 'send' where key = 'refund/2'`,
  );
  const after = await claims(3);

  expect(await rows(`select generation from effects where key = 'refund/2'`)).toEqual([{ generation: 1 }]);
  expect(after).toEqual(refs.map((_, i) => (digitOf(i) === winner?.hash ? 'known' : 'conflict')));
});

test('E2 transactions that look at keys and targets in every order, settle and count calls never wait for each other', async () => {
  const random = seeded(7);
  const pick = (of: number) => Math.floor(random() * of);
  const deadlocks = async () =>
    (await rows('select deadlocks::int from pg_stat_database where datname = current_database()'))[0]?.deadlocks;
  const work = refs.flatMap((ref, i) =>
    Array.from({ length: 6 }, (_, round) => ({ ref, i, n: 10 + round, key: pick(4), target: pick(4), pause: pick(4) })),
  );
  const one = ({ ref, i, n, key, target, pause }: (typeof work)[number]) =>
    portOf(i + n).transact(ref, { n }, async (tx) => {
      const phase = n % 2 === 0 ? 'SENT' : 'CLAIMED';
      const row = refund({ key: `crossed/${key}`, target: `crossed:${target}`, phase, owner: randomUUID() });
      const before = await tx.ownEffects();
      const scene = await tx.effectScene({ ...sceneOf(row), index: n });
      await tx.callsWithin(`tool-${key}`, 1_000);
      await sleep(pause);
      const claim = decideClaim(scene, row.argsHash);
      if (claim.kind === 'take') {
        const { release } = claim;
        if (release) tx.updateEffect(release, release.fence, { phase: 'NOT_COMMITTED', settledBy: 'runtime' });
        tx.insertEffect({ ...row, index: n, generation: claim.generation });
      }
      for (const effect of before.filter((own) => own.phase === 'SENT'))
        tx.updateEffect(effect, effect.fence, { phase: 'NOT_COMMITTED', settledBy: 'send' });
      openTry(tx, { index: n });
    });
  for (let from = 0; from < work.length; from += atOnce) await Promise.all(work.slice(from, from + atOnce).map(one));
  // The server counts them when a transaction ends, and reports within a second.
  await sleep(1_100);
  expect(await deadlocks()).toBe(0);
  expect(
    await rows(
      `select key from effects where phase <> 'NOT_COMMITTED' and key like 'crossed/%' group by tenant, key having count(*) > 1`,
    ),
  ).toEqual([]);
  expect(await rows(`select key from effects where key like 'crossed/%'`)).not.toEqual([]);
});
