import type { ProcessOwner } from '../process/process-owner';
import type { PostgresBinaries } from './postgres-binaries';

/** All that a start of PostgreSQL needs and that stays the same for the life of a data folder. */
export interface PostgresFolder {
  readonly binaries: PostgresBinaries;
  readonly owner: ProcessOwner | undefined;
  /** PostgreSQL's own data. */
  readonly path: string;
  readonly logFile: string;
  readonly user: string;
  readonly password: string;
}
