/** Not an error of ours, and nobody is left to read it. */
const orphanedExitCode = 1;

/**
 * Ends this process at once when the one that forked it is gone, even by SIGKILL: the channel between them closes then.
 * At once, because whoever comes next has started anew. Does nothing in a process that was not forked.
 */
export function exitWithParent(): void {
  if (process.channel === undefined || process.channel === null) return;
  process.on('disconnect', () => process.exit(orphanedExitCode));
  process.channel.unref(); // a process that has done its work ends; listening alone does not hold it
}
