import type { EndStep } from './end-process';
import type { ProcessIdentity } from './process-identity';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child process that this process owns: whoever started it stops it. */
export interface ManagedProcess {
  readonly identity: ProcessIdentity;
  /** Resolves once, when it has ended for whatever reason; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Ends it and returns when it is gone. Can be called again. */
  stop(): Promise<void>;
}

/** How a server is asked to end. The first step is also what the kernel sends it when this process dies (Linux). */
export type StopSteps = readonly [EndStep, ...EndStep[]];

export function describeExit({ code, signal }: ProcessExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
