/**
 * Actions of one attempt that may be in flight at once. Each holds a place of the worker's (it has a hundred) and a request to
 * somebody's server; eight make a proposal of reads as long as its longest one, and leave room for a dozen attempts beside it.
 */
export const parallelActionsMax = 8;
