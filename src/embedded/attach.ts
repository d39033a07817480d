import { resolve } from 'node:path';
import { isAlive } from './process/process-identity';
import { readStackState } from './state-file';

/** Where a stack's servers are. */
export interface StackAddresses {
  /** With the password. */
  readonly databaseUrl: string;
  /** `host:port`. */
  readonly temporalAddress: string;
  readonly namespace: string;
  /** Temporal's web interface, where it is our own. */
  readonly uiUrl?: string;
}

/** The stack that another process runs on this data folder now, or undefined. Starts nothing and asks no server. */
export async function attachToStack(dataDir: string): Promise<StackAddresses | undefined> {
  const state = await readStackState(resolve(dataDir));
  if (state === undefined || !state.ready || !isAlive(state.owner)) return undefined;
  const { databaseUrl, temporalAddress, namespace, uiUrl } = state;
  return { databaseUrl, temporalAddress, namespace, ...(uiUrl === undefined ? {} : { uiUrl }) };
}
