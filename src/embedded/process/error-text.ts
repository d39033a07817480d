/** The message for a person, with that of the cause behind it. */
export function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  const cause = 'cause' in error && error.cause !== undefined ? ` (${errorText(error.cause)})` : '';
  return `${String(error.message)}${cause}`;
}
