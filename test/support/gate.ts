import { setTimeout as sleep } from 'node:timers/promises';

/** Something that a tool of a test waits at, and the test opens; who arrives is counted. */
export class Gate {
  arrived = 0;
  private readonly waiting: (() => void)[] = [];

  /** Resolves when the gate is opened; rejects with the signal's reason where one is given and aborted. */
  async pass(signal?: AbortSignal): Promise<void> {
    this.arrived += 1;
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      this.waiting.push(resolve);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  open(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Resolves once so many have arrived. */
  async reached(count: number): Promise<void> {
    await until(() => this.arrived >= count, `arrival ${count} at the gate`);
  }
}

/** What takes a second alone took two minutes where twenty others ran; it is waited out only by what fails. */
export const untilMaxMs = 240_000;

/** Resolves once the condition holds; rejects after a time that no healthy machine needs. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const started = Date.now(); Date.now() - started < untilMaxMs; ) {
    if (await holds()) return;
    await sleep(20);
  }
  throw new Error(`It did not come to this: ${what}.`);
}
