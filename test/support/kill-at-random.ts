import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptWorld } from './attempt-world';
import { until } from './gate';
import { seeded } from './seeded';

/** Moves that each attempt makes between two kills: nothing is killed so often in one call that the call is given up. */
const movesBetweenKills = 3;
/** Between an attempt's going on and the next kill, ms: now and then within a step, now and then after some. */
const killWithinMs = 600;

/** Runs the world's attempts on a worker process that is killed again and again, a new one at once; the last one lives. */
export async function killAtRandom(
  world: AttemptWorld,
  { kills, seed }: { kills: number; seed: number },
): Promise<void> {
  const random = seeded(seed);
  let worker = await world.startProcess();
  for (let kill = 0; kill < kills; kill += 1) {
    const before = await moves(world);
    await until(async () => allWentOn(before, await moves(world)), `every attempt goes on after ${kill} kills`);
    await sleep(random() * killWithinMs);
    await worker.kill();
    worker = await world.startProcess();
  }
}

type Moves = ReadonlyMap<number, { readonly n: number; readonly ended: boolean }>;

async function moves({ pool }: AttemptWorld): Promise<Moves> {
  const { rows } = await pool.query<{ key: number; n: number; ended: boolean }>(
    `select key, ended_at is not null as ended, (select coalesce(max(n), 0) from moves where attempt = key) as n from attempts`,
  );
  return new Map(rows.map((row) => [row.key, row]));
}

const allWentOn = (before: Moves, now: Moves) =>
  [...now].every(([key, { n, ended }]) => ended || n >= (before.get(key)?.n ?? 0) + movesBetweenKills);
