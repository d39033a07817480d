/** Where a database of the user is. */
export type DatabaseConfig = {
  /** Less than what a caller allows for one query, ms. */
  readonly timeoutMs?: number;
} & (
  | {
      readonly kind: 'postgres';
      /** Resolved at each use, never stored; undefined where its variable is not set. */
      readonly url: () => string | undefined;
    }
  | {
      readonly kind: 'sqlite';
      /** Absolute. */
      readonly file: string;
    }
);
