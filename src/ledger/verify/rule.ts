/** What must hold over all rows of a ledger whenever nothing is in the middle of a transaction. */
export interface LedgerRule {
  /** The number of the promise, and what holds. */
  readonly rule: string;
  /** SQL that finds what breaks it: rows of the attempt's key and of words for what is wrong. */
  readonly broken: string;
}
