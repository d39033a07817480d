/** A value of a row as JSON has it; a number that JSON would change is text. */
export type QueryValue =
  | string
  | number
  | boolean
  | null
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue };

/** What a query gave, whole. */
export interface QueryRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly QueryValue[])[];
}

/** Each row by the names of its columns, for comparing and for people. Of two columns of one name the last one counts. */
export function asObjects({ columns, rows }: QueryRows): readonly Readonly<Record<string, QueryValue>>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}
