import { constants } from 'node:os';
import { note } from './output';

/** What a shell makes of a process that a signal ended. */
const signalExitBase = 128;

/** Ctrl-C and its like, from now on: the first resolves `asked`, and a second one ends the process where it stands. */
export function onInterrupt(): { readonly asked: Promise<NodeJS.Signals> } {
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    let again = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (again) process.exit(signalExitBase + constants.signals[signal]);
        again = true;
        note('stopping …');
        resolve(signal);
      });
    }
  });
  return { asked };
}
