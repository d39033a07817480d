import { once } from 'node:events';
import type { FromWorker, Order, Point, ToWorker } from './points';

/** Long enough for an activity to have handed its result to the SDK, which sends it in a millisecond, ms. */
const completesInMs = 200;

/** Strikes this process at the point that its parent ordered. */
export class Trigger {
  private order: Order | undefined;

  constructor() {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'arm') this.order = message.order;
    });
  }

  /** Whether a blow waits for an attempt of this task. */
  waitsFor(task: string): boolean {
    return this.order?.task === task;
  }

  /**
   * Resolves at once, unless the blow waits here: then it never resolves, or after the process was continued. Before the
   * completion it resolves, and the blow falls a moment later.
   */
  async reach(point: Point, task: string): Promise<void> {
    const { order } = this;
    if (order?.point !== point || order.task !== task) return;
    this.order = undefined;
    const closed = point === 'before_completion' ? this.untilClosed() : undefined;
    await say({ kind: 'reached', order });
    if (closed) {
      await closed;
      setTimeout(() => strike(order), completesInMs);
    } else {
      await strike(order);
    }
  }

  /** Until nothing that this process says reaches Temporal any more. */
  private async untilClosed(): Promise<void> {
    for (;;) {
      const [message] = await once(process, 'message');
      if (message.kind === 'go') return;
    }
  }
}

/** A killed process runs no further; a stopped one goes on here when it is continued. */
function strike({ blow }: Order): Promise<void> {
  process.kill(process.pid, blow === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  return blow === 'kill' ? new Promise(() => {}) : Promise.resolve();
}

/** Resolves when the message is on its way, which it then stays. */
export function say(message: FromWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.send) throw new Error('A worker of the kill test has a parent.');
    process.send(message, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}
