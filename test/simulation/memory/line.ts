/**
 * The way between a process and the ledger. A request that was sent arrives also where its process is stopped meanwhile;
 * an answer waits until the process runs. Either rejects where the connection is lost.
 */
export interface Line {
  request(what: string): Promise<void>;
  reply(what: string): Promise<void>;
}

/** A process beside the database that nothing disturbs. */
export const plainLine: Line = {
  request: () => Promise.resolve(),
  reply: () => Promise.resolve(),
};
