export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one where it is none. */
export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
