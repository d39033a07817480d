import { hostname } from 'node:os';
import type { ProcessIdentity } from '../embedded/process/process-identity';

/** What Temporal knows a worker of this host by: as it names workers itself, and never that of another process with the same pid. */
export const workerIdentity = ({ pid, startedAt }: ProcessIdentity): string => `${pid}@${hostname()}/${startedAt}`;
