import type { ChildProcess } from 'node:child_process';
import { beatMessage, beatMs } from './report-ready';

/**
 * Calls `onSilent` once when the child sent no beat for `silentMs`; until then nothing else can tell a worker that waits
 * from one that computes for ever. Silence is counted in our own turns and not by a clock: while we are stopped
 * ourselves we hear nobody. Returns how to end it, which its owner must.
 */
export function watchBeats(child: ChildProcess, silentMs: number, onSilent: () => void): () => void {
  let missed = 0;
  const onMessage = (message: unknown) => {
    if (message === beatMessage) missed = 0;
  };
  const turn = setInterval(() => {
    missed += 1;
    if (missed * beatMs <= silentMs) return;
    stop();
    onSilent();
  }, beatMs);
  const stop = () => {
    clearInterval(turn);
    child.off('message', onMessage);
  };
  child.on('message', onMessage);
  return stop;
}
