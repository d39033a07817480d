/** What a forked process sends its parent when it does its work. */
export const readyMessage = 'ready';

/** Tells the process that forked this one that it is ready; does nothing where there is none. */
export function reportReady(): void {
  if (process.connected) process.send?.(readyMessage);
}
