/**
 * The errno of a failed system call (`ENOENT`), or undefined where the error carries none. By shape and not by class:
 * an error of another realm (a test's, a worker thread's) is no `Error` here.
 */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}
