/**
 * The code of an error that Node or a driver threw (`ENOENT`, `3D000`), or undefined where it carries none. By shape and
 * not by class: an error of another realm (a test's, a worker thread's) is no `Error` here.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
