import { cpuMs } from './cpu-meter';
import { type LedgerReading, readLedger } from './ledger-meter';
import { gaps } from './stats';
import type { BenchWorld } from './world';

/** The first steps of a loop start it up: connections, statements and code that no later step waits for. */
const warmUpSteps = 10;

export const processNames = ['worker', 'temporal', 'postgres', 'model'] as const;
export type CpuTimes = Readonly<Record<(typeof processNames)[number], number>>;

export interface LoopCost {
  /** Time from step to step, ms, without the first ones. */
  readonly stepMs: readonly number[];
  /** Processor time of a step in each process, ms. */
  readonly cpu: CpuTimes;
  readonly steps: number;
  readonly before: LedgerReading;
  readonly after: LedgerReading;
}

/** Runs a loop that returns when each of its steps was done, and reads what it cost. */
export async function loopCost(
  world: BenchWorld,
  workerPid: number,
  run: () => Promise<readonly number[]>,
): Promise<LoopCost> {
  const before = await readLedger(world.admin);
  const cpuBefore = cpuNow(world, workerPid);
  const stamps = await run();
  const cpuAfter = cpuNow(world, workerPid);
  const after = await readLedger(world.admin);
  const aStep = (name: keyof CpuTimes) => (cpuAfter[name] - cpuBefore[name]) / stamps.length;
  return {
    stepMs: gaps(stamps).slice(warmUpSteps),
    cpu: { worker: aStep('worker'), temporal: aStep('temporal'), postgres: aStep('postgres'), model: aStep('model') },
    steps: stamps.length,
    before,
    after,
  };
}

function cpuNow({ pids }: BenchWorld, worker: number): CpuTimes {
  return {
    worker: cpuMs(worker),
    temporal: cpuMs(pids.temporal),
    postgres: cpuMs(pids.postgres, 'tree'),
    model: cpuMs(pids.model),
  };
}
