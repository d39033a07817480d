import type { HistoryCost } from './history-meter';
import type { Lane } from './lane';
import { type CpuTimes, type LoopCost, processNames } from './loop-cost';
import type { Report, Target } from './report';
import { mean, median, quantile } from './stats';

export interface LaneCost {
  readonly lane: Lane;
  readonly ours: readonly LoopCost[];
  readonly histories: readonly HistoryCost[];
  readonly bare: readonly { readonly name: string; readonly costs: readonly LoopCost[] }[];
  /** Writing transactions that a worker makes without any work, for each ms. */
  readonly idleWritesPerMs: number;
}

/** What the issue allows: times as ratios to bare loops, counts as they are. */
const ratioMax = 1.5;
const payloadBytesMax = 32 * 1024;
const ledgerBytesMax = 4 * 1024;
const commitsMax = 4;
const historyMax: Readonly<
  Record<Lane, { readonly events?: number; readonly markers?: number; readonly bytes: number }>
> = {
  regular: { events: 14, bytes: 4 * 1024 },
  local: { markers: 2, bytes: 2 * 1024 },
};

export function stepReport(lanes: readonly LaneCost[]): Report {
  const all = lanes.map((lane) => ({ lane, counts: countsOf(lane), loops: loopsOf(lane) }));
  return {
    bench: 'step',
    tables: all.flatMap(({ lane, counts, loops }) => [
      {
        title: `Time of a step, ${lane.lane} lane, ms`,
        head: ['', 'median', 'p90', 'ours ÷ this', ...processNames.map((name) => `CPU ${name}`)],
        rows: loops.map(({ name, medianMs, p90Ms, ratio, cpu }) => [
          name,
          medianMs,
          p90Ms,
          ratio,
          ...processNames.map((process) => cpu[process]),
        ]),
      },
      {
        title: `A step in storage, ${lane.lane} lane`,
        head: ['', 'a step'],
        rows: Object.entries(counts).map(([name, value]) => [name, value]),
      },
    ]),
    targets: all.flatMap(({ lane, counts, loops }) => [
      ...ratioTargets(lane.lane, loops),
      ...countTargets(lane.lane, counts),
    ]),
    data: all.map(({ lane, counts, loops }) => ({ lane: lane.lane, loops, counts })),
  };
}

function loopsOf({ ours, bare }: LaneCost) {
  const own = median(ours.flatMap((cost) => cost.stepMs));
  return [{ name: 'holdfast', costs: ours }, ...bare].map(({ name, costs }) => {
    const stepMs = costs.flatMap((cost) => cost.stepMs);
    return {
      name,
      medianMs: median(stepMs),
      p90Ms: quantile(stepMs, 0.9),
      ratio: own / median(stepMs),
      cpu: meanCpu(costs.map((cost) => cost.cpu)),
    };
  });
}

function meanCpu(times: readonly CpuTimes[]): CpuTimes {
  const of = (name: keyof CpuTimes) => mean(times.map((time) => time[name]));
  return { worker: of('worker'), temporal: of('temporal'), postgres: of('postgres'), model: of('model') };
}

function countsOf({ ours, histories, idleWritesPerMs }: LaneCost) {
  const sum = (of: (cost: LoopCost) => number) => ours.reduce((total, cost) => total + of(cost), 0);
  const history = (of: (cost: HistoryCost) => number) => histories.reduce((total, cost) => total + of(cost), 0);
  const steps = sum((cost) => cost.steps);
  const idle = sum(({ before, after }) => (after.atMs - before.atMs) * idleWritesPerMs);
  return {
    'history events': history(({ events }) => events) / steps,
    'of these markers': history(({ markers }) => markers) / steps,
    'history bytes': history(({ bytes }) => bytes) / steps,
    'largest payload, bytes': Math.max(...histories.map((cost) => cost.payloadBytesMax)),
    'ledger bytes': sum(({ before, after }) => after.bytes - before.bytes) / steps,
    'ledger commits': (sum(({ before, after }) => after.writes - before.writes) - idle) / steps,
    'write-ahead log bytes': sum(({ before, after }) => after.walBytes - before.walBytes) / steps,
    'steps in a run': steps / history(({ runs }) => runs),
  };
}

function ratioTargets(lane: Lane, loops: ReturnType<typeof loopsOf>): Target[] {
  return loops
    .slice(1)
    .map(({ name, ratio }) => ({ name: `${lane}: time, beside ${name}`, value: ratio, atMost: ratioMax, unit: '×' }));
}

function countTargets(lane: Lane, counts: ReturnType<typeof countsOf>): Target[] {
  const { events, markers, bytes } = historyMax[lane];
  const target = (name: keyof typeof counts, atMost: number, unit = '') => ({
    name: `${lane}: ${name}`,
    value: counts[name],
    atMost,
    unit,
  });
  return [
    ...(events === undefined ? [] : [target('history events', events)]),
    // The last word of an attempt is a call as well, and so is its end.
    ...(markers === undefined ? [] : [target('of these markers', markers * 1.05)]),
    target('history bytes', bytes),
    target('ledger bytes', ledgerBytesMax),
    target('ledger commits', commitsMax * 1.05),
    target('largest payload, bytes', payloadBytesMax),
  ];
}
