import type { RevocationKind } from '../../../src/activities/ledger-port';
import type { Process } from '../engine/process';
import { elsewhere, type Scheduler } from '../engine/scheduler';
import type { Server } from '../engine/server';
import type { Messenger } from './messenger';
import { type PlannedEvent, type Point, points } from './plan';

/** A worker's successor is there within this, ms. */
const respawnMaxMs = 3_000;

/** What trouble befalls. */
export interface Troubled {
  readonly scheduler: Scheduler;
  readonly server: Server;
  readonly messenger: Messenger;
  readonly processes: readonly Process[];
  /** The ledger cannot be reached until then, ms. */
  awayUntilMs: number;
  spawn(): void;
  revoke(kind: RevocationKind, value: string): void;
}

/** Brings about what a plan says goes wrong, when it says so. */
export class Trouble {
  private readonly atStep: PlannedEvent[];
  private readonly atPoint: PlannedEvent[];
  private readonly awaited: readonly Point[];
  private readonly seen = new Map<Point, number>();

  constructor(
    events: readonly PlannedEvent[],
    private readonly world: Troubled,
  ) {
    this.atStep = events.filter(({ at }) => 'step' in at);
    this.atPoint = events.filter(({ at }) => 'after' in at);
    this.awaited = points.filter((point) => this.atPoint.some(({ at }) => 'after' in at && at.after === point));
  }

  onStep(step: number): void {
    for (const event of [...this.atStep]) {
      if (!('step' in event.at) || event.at.step > step) continue;
      this.atStep.splice(this.atStep.indexOf(event), 1);
      this.bring(event, undefined);
    }
  }

  /** `what`: owner and step. */
  onPoint(what: string): void {
    for (const point of this.awaited) {
      if (!what.includes(point)) continue;
      const times = (this.seen.get(point) ?? 0) + 1;
      this.seen.set(point, times);
      const due = this.atPoint.find(({ at }) => 'after' in at && at.after === point && at.nth === times);
      if (due)
        this.bring(
          due,
          this.world.processes.find(({ name }) => what.startsWith(`${name} `)),
        );
    }
  }

  /** `self`: the process that came to the point. */
  private bring(event: PlannedEvent, self: Process | undefined): void {
    const { world } = this;
    const { scheduler } = world;
    const process = (index: number) => self ?? world.processes[index % Math.max(1, world.processes.length)];
    scheduler.note(elsewhere, `TROUBLE ${JSON.stringify(event)}`);
    switch (event.do) {
      case 'kill':
        this.kill(process(event.process), event.noticed);
        return;
      case 'stop': {
        const stopped = process(event.process);
        stopped?.stop();
        scheduler.later(elsewhere, event.ms, `wakes ${stopped?.name}`, () => stopped?.wake());
        return;
      }
      case 'stall the lease': {
        const stalled = process(event.process);
        if (stalled) stalled.stalledUntilMs = scheduler.nowMs + event.ms;
        return;
      }
      case 'cut': {
        const cut = process(event.process);
        if (cut) cut.cuts = { on: event.on, left: event.times };
        return;
      }
      case 'take the ledger away':
        world.awayUntilMs = scheduler.nowMs + event.ms;
        scheduler.later(elsewhere, event.ms, 'the ledger is back', () => {});
        return;
      case 'leap':
        scheduler.leap(event.ms);
        return;
      case 'revoke':
        world.revoke(event.kind, event.value);
        return;
      case 'lose the task':
      case 'refuse the task':
      case 'lose reports':
      case 'send':
        this.toFlow(event);
        return;
    }
  }

  private toFlow(event: Extract<PlannedEvent, { attempt: number }>): void {
    const { flows } = this.world.server;
    const flow = flows[event.attempt % Math.max(1, flows.length)];
    if (!flow || flow.result) return;
    switch (event.do) {
      case 'lose the task':
        this.world.server.lose(flow);
        return;
      case 'refuse the task':
        flow.refusals += 1;
        return;
      case 'lose reports':
        flow.lostReports += event.times;
        return;
      case 'send':
        this.world.messenger.send(flow, event);
        return;
    }
  }

  private kill(process: Process | undefined, noticed: boolean): void {
    if (!process) return;
    process.kill(noticed);
    const ms = Math.floor(this.world.scheduler.random() * respawnMaxMs);
    this.world.scheduler.later(elsewhere, ms, 'a worker starts', () => this.world.spawn());
  }
}
