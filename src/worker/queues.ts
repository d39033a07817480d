/** What a worker polls: everything but sealed tests, sealed tests, or both. */
export const workerQueues = ['main', 'sealed'] as const;
export type WorkerQueue = (typeof workerQueues)[number];

/**
 * The queues that a worker's arguments name: `--queue main` or `--queue sealed`, both without one. Throws Error where they name another.
 */
export function queuesOf(args: readonly string[]): readonly WorkerQueue[] {
  const at = args.indexOf('--queue');
  if (at < 0) return workerQueues;
  const named = workerQueues.find((queue) => queue === args[at + 1]);
  if (named === undefined)
    throw new Error(`--queue takes ${workerQueues.join(' or ')}, and not "${args[at + 1] ?? ''}".`);
  return [named];
}
