/** What an error says, by shape: one of another realm is no `Error` here. */
export function wordsOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
