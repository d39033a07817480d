/** What a forked process sends its parent when it does its work. */
export const readyMessage = 'ready';
/** And then, every `beatMs`, as long as its event loop turns. */
export const beatMessage = 'beat';
/** Often enough that a single late one means nothing, rare enough to cost nothing, ms. */
export const beatMs = 1_000;

/** Tells the process that forked this one that it is ready, and from then on that it still moves; does nothing where there is none. */
export function reportReady(): void {
  if (!process.connected) return;
  process.send?.(readyMessage);
  setInterval(() => {
    if (process.connected) process.send?.(beatMessage, undefined, undefined, () => undefined); // a parent that is gone ends us
  }, beatMs).unref();
}
