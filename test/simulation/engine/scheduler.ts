/**
 * Virtual time, and who goes next. Everything that a simulated process or server waits for is a step here; one is drawn at
 * a time, run to where nothing moves any more, and only then the next.
 *
 *   I1  While a step runs, whatever it starts to wait for belongs to the step's owner.
 *   I2  An owner that is stopped runs no step, an owner that is gone never will; their timers go on or are forgotten.
 *   I3  What is drawn follows from `random` alone, so a seed is a schedule.
 */
export interface Owner {
  readonly name: string;
  readonly state: 'running' | 'stopped' | 'gone';
}

interface Step {
  readonly owner: Owner;
  readonly what: string;
  readonly run: () => unknown;
}
interface Timer extends Step {
  readonly atMs: number;
  cancelled: boolean;
}

/** Seen in a trace as the side that is no process: server, network, outside, people. */
export const elsewhere: Owner = { name: '-', state: 'running' };

/** How often time goes on although something could be done now: what is slow in a process. */
const slowShare = 0.04;
/** Lines of a trace that are kept: whoever goes on for longer goes round in a circle. */
const traceMax = 4_000;

export class Scheduler {
  nowMs = Date.UTC(2026, 0, 1);
  steps = 0;
  readonly trace: string[] = [];
  current: Owner | undefined;

  private readonly ready: Step[] = [];
  private timers: Timer[] = [];

  constructor(
    readonly random: () => number,
    /** Whether a trace is kept: it costs a third of the time, and a seed can be run again. */
    private readonly traced: boolean,
    private readonly onTime: () => void,
    private readonly onStep: (what: string) => void,
  ) {}

  chance(odds: number): boolean {
    return this.random() < odds;
  }
  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.random() * items.length)];
  }

  /** Something that can be done now, if its owner runs. */
  soon(owner: Owner, what: string, run: () => unknown): void {
    this.ready.push({ owner, what, run });
  }

  /** Returns how to cancel it. */
  later(owner: Owner, ms: number, what: string, run: () => unknown): () => void {
    const timer: Timer = { owner, what, run, atMs: this.nowMs + ms, cancelled: false };
    this.timers.push(timer);
    return () => {
      timer.cancelled = true;
    };
  }

  /** Whether anything is left that will ever happen. */
  get idle(): boolean {
    return this.ready.every(({ owner }) => owner.state === 'gone') && this.timers.length === 0;
  }

  /** One step, or time goes on to the next timer; false where nothing is left. */
  async step(): Promise<boolean> {
    const able = this.ready.filter(({ owner }) => owner.state === 'running');
    if (able.length === 0 || this.chance(slowShare)) {
      if (this.advance()) return true;
    }
    const next = this.pick(able);
    if (!next) return false;
    this.ready.splice(this.ready.indexOf(next), 1);
    await this.run(next);
    return true;
  }

  /** Time goes on by so much at least; what falls due becomes ready. */
  leap(ms: number): void {
    this.moveTo(this.nowMs + ms);
  }

  private advance(): boolean {
    this.timers = this.timers.filter(({ cancelled, owner }) => !cancelled && owner.state !== 'gone');
    const next = Math.min(...this.timers.map(({ atMs }) => atMs));
    if (!Number.isFinite(next)) return false;
    this.moveTo(Math.max(next, this.nowMs));
    return true;
  }

  private moveTo(atMs: number): void {
    this.nowMs = atMs;
    this.onTime();
    const due = this.timers.filter((timer) => !timer.cancelled && timer.atMs <= atMs);
    this.timers = this.timers.filter((timer) => !due.includes(timer));
    this.ready.push(...due.sort((a, b) => a.atMs - b.atMs));
  }

  private async run({ owner, what, run }: Step): Promise<void> {
    this.steps += 1;
    this.note(owner, what);
    this.current = owner; // I1
    await run();
    await settled();
    this.current = undefined;
    this.onStep(`${owner.name} ${what}`);
  }

  note(owner: Owner, what: string): void {
    if (!this.traced || this.trace.length >= traceMax) return;
    this.trace.push(
      `${String(this.steps).padStart(5)} ${((this.nowMs % 86_400_000) / 1000).toFixed(3).padStart(9)} ${owner.name} ${what}`,
    );
  }
}

const realImmediate = setImmediate;

/** Everything that can move without a step has moved. */
export const settled = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));
