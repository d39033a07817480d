import type { Job } from '../domain/job/job';

/** Rows of remote jobs, as a transaction reads and writes them (R15.2). */

export interface Place {
  readonly step: number;
  readonly index: number;
}
/** With the action that submitted it. */
export interface JobRow extends Job, Place {
  readonly tool: string;
}
export type JobChange = Partial<Pick<Job, 'state' | 'polls' | 'nextPollAt' | 'output' | 'cancelAsked'>>;
