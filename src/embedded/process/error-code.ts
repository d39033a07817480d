/** `ENOENT`, `EEXIST` … of an error from Node, undefined for anything else (also across realms, where instanceof fails). */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
