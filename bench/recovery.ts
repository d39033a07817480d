/**
 * kill -9 of the worker in the middle of a step, and a new worker at once, as the supervisor starts one: how long until
 * the next step is done, and whether anything was done twice.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRef } from '../src/protocol/ids';
import { beginAttempt, endOf, stepsPerRun } from './lib/attempts';
import type { Child } from './lib/child';
import { type CountingProxy, startCountingProxy } from './lib/counting-proxy';
import { type DoneTwice, doneTwice } from './lib/done-twice';
import type { Lane } from './lib/lane';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { median } from './lib/stats';
import { putTranscript } from './lib/transcript';
import { type BenchWorld, openWorld } from './lib/world';

/** The figures. */
const medianMaxMs = 3_000;
const worstMaxMs = 5_000;
const pollMs = 10;
/** Past this nothing will come any more. */
const giveUpMs = 60_000;
/** A step then takes long enough that a kill falls into it, and not between two. */
const slowModelMs = 40;
const beforeNewRun = 4;

const options = readOptions('kill -9 of the worker: time until the next step is done.', {
  kills: { value: 20, about: 'kills in each lane at each place' },
  early: { value: 25, about: 'step of the early kills, each in an attempt of its own' },
  late: { value: 900, about: 'step of the first late kill; one attempt is killed there and every hundred steps after' },
});
const { kills, early, late } = options.numbers;

interface Place {
  readonly name: string;
  readonly recoveredMs: readonly number[];
  readonly twice: DoneTwice;
}
const taskOf = (lane: Lane, kill: number) => `kill-${lane}-${kill}`;
const lateTask = (lane: Lane) => `late-${lane}`;
/** Shortly before a new run of the workflow begins, where the history is longest. */
const lateSteps = Array.from({ length: kills }, (_, kill) => late - beforeNewRun + kill * stepsPerRun);
const slowAround = (step: number) => ({ from: Math.max(step - 5, 1), to: step + 3, delayMs: slowModelMs });

async function main(): Promise<void> {
  const tasks = options.lanes.flatMap((lane) => [
    ...Array.from({ length: kills }, (_, kill) => ({
      task: taskOf(lane, kill),
      steps: early + 10,
      slow: [slowAround(early)],
    })),
    { task: lateTask(lane), steps: (lateSteps.at(-1) ?? late) + 10, slow: lateSteps.map(slowAround) },
  ]);
  const world = await openWorld(putTranscript(tasks));
  const proxy = await startCountingProxy(world.modelUrl);
  try {
    const places: Place[] = [];
    for (const lane of options.lanes) {
      places.push(await killEarly(world, proxy, lane));
      places.push(await killLate(world, proxy, lane));
    }
    report(places);
  } finally {
    await world.close();
    await proxy.stop();
  }
}

async function killEarly(world: BenchWorld, proxy: CountingProxy, lane: Lane): Promise<Place> {
  const scene = await openScene(world, proxy, lane, 'early');
  const refs: AttemptRef[] = [];
  const recoveredMs: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const ref = await beginAttempt(world.ledger, world.client, taskOf(lane, kill), lane);
    refs.push(ref);
    recoveredMs.push(await scene.kill(ref, early));
    await endOf(world.client, ref);
  }
  return scene.close(`${lane}, step ${early}`, recoveredMs, refs);
}

async function killLate(world: BenchWorld, proxy: CountingProxy, lane: Lane): Promise<Place> {
  const scene = await openScene(world, proxy, lane, 'late');
  const ref = await beginAttempt(world.ledger, world.client, lateTask(lane), lane);
  const recoveredMs: number[] = [];
  for (const step of lateSteps) recoveredMs.push(await scene.kill(ref, step));
  await endOf(world.client, ref);
  return scene.close(`${lane}, step ${late}`, recoveredMs, [ref]);
}

interface Scene {
  /** Kills the worker once `step` has begun; ms until the step after the broken one is done. */
  kill(ref: AttemptRef, step: number): Promise<number>;
  close(name: string, recoveredMs: readonly number[], refs: readonly AttemptRef[]): Promise<Place>;
}

async function openScene(world: BenchWorld, proxy: CountingProxy, lane: Lane, name: string): Promise<Scene> {
  const toolLog = join(world.dataDir, `tool-${lane}-${name}.log`);
  const start = () => world.startWorker(lane, { toolLog, modelUrl: proxy.url });
  let worker: Child = await start();
  return {
    async kill(ref, step) {
      await stepDone(world, ref, step - 1);
      await sleep(Math.random() * slowModelMs);
      const killedAt = performance.now();
      await worker.kill();
      const starting = start();
      const broken = (await stepsDone(world, ref)) + 1;
      await stepDone(world, ref, broken + 1);
      const recoveredMs = performance.now() - killedAt;
      process.stderr.write(`${lane}: killed in step ${broken}, next step done after ${Math.round(recoveredMs)} ms\n`);
      worker = await starting;
      return recoveredMs;
    },
    async close(place, recoveredMs, refs) {
      await worker.stop();
      return { name: place, recoveredMs, twice: await doneTwice(world.admin, refs, proxy.seen, toolLog) };
    },
  };
}

async function stepDone(world: BenchWorld, ref: AttemptRef, step: number): Promise<void> {
  for (const until = performance.now() + giveUpMs; performance.now() < until; await sleep(pollMs)) {
    if ((await stepsDone(world, ref)) >= step) return;
  }
  throw new Error(`${ref.id} did not reach step ${step} in ${giveUpMs} ms`);
}

async function stepsDone({ admin }: BenchWorld, ref: AttemptRef): Promise<number> {
  const { rows } = await admin.query<{ step: number | null }>(
    'select max(step) as step from holdfast.observations where attempt = $1',
    [ref.key],
  );
  return rows[0]?.step ?? 0;
}

function report(places: readonly Place[]): void {
  printReport(
    {
      bench: 'recovery',
      tables: [
        {
          title: 'From kill -9 until the next step is done, ms',
          head: ['', 'kills', 'median', 'worst', 'model asked again', 'tool run again'],
          rows: places.map(({ name, recoveredMs, twice }) => [
            name,
            recoveredMs.length,
            median(recoveredMs),
            Math.max(...recoveredMs),
            `${twice.modelRequests} of ${twice.ofRequests}`,
            `${twice.toolRuns} of ${twice.ofRuns}`,
          ]),
        },
      ],
      targets: places.flatMap(({ name, recoveredMs, twice }) => [
        { name: `${name}: median`, value: median(recoveredMs), atMost: medianMaxMs, unit: 'ms' },
        { name: `${name}: worst`, value: Math.max(...recoveredMs), atMost: worstMaxMs, unit: 'ms' },
        { name: `${name}: done twice`, value: twice.modelRequests + twice.toolRuns, atMost: 0, unit: '' },
      ]),
      data: places,
    },
    options.json,
  );
}

runBench(main);
