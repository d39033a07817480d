/** M9: a worker's lease is gone after so long without a renewal, ms of database time: six renewals in a row were missed. */
export const leaseMs = 3_000;
