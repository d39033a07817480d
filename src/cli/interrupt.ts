import { constants } from 'node:os';
import { note } from './output';

/** What a shell makes of a process that a signal ended. */
const signalExitBase = 128;

/**
 * A terminal signals every process of its foreground group, and npm and the script around a command pass their copy on,
 * so one Ctrl-C arrives as several within milliseconds. A person who means a second one takes longer than this.
 */
export const secondInterruptMs = 500;

/**
 * Ctrl-C and its like, from now on: the first resolves `asked`, and one that comes `secondInterruptMs` later or after
 * that ends the process where it stands.
 */
export function onInterrupt(): { readonly asked: Promise<NodeJS.Signals> } {
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    let askedAtMs: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (askedAtMs !== undefined) {
          if (performance.now() - askedAtMs < secondInterruptMs) return;
          process.exit(signalExitBase + constants.signals[signal]);
        }
        askedAtMs = performance.now();
        note('stopping …');
        resolve(signal);
      });
    }
  });
  return { asked };
}
