import type { Limits, Share } from '../domain/budget/account';
import type { Contract } from '../domain/contract/contract';
import type { StartSnapshot } from '../protocol/attempt';
import type { AttemptRef } from '../protocol/ids';
import type { Place } from './job-rows';

/** Rows of child attempts, as a transaction of the parent reads and writes them (R15.1). */

/** With the action that asked for it. */
export interface ChildRow extends Place {
  readonly ref: AttemptRef;
  readonly share: Share;
  readonly ended: boolean;
}

/** Whose child an attempt is. */
export interface ChildOrigin {
  /** Id of the parent. */
  readonly parent: string;
  /** Number in the ledger of the attempt that no other one asked for. */
  readonly root: number;
  /** 1: the root's own child. */
  readonly depth: number;
  /** The parent's files as they were, which it begins with; null where it works on none. */
  readonly snapshot: string | null;
}

export interface NewChild extends Place {
  readonly task: string;
  readonly contract: Contract;
  readonly limits: Limits;
  readonly share: Share;
  readonly start: StartSnapshot;
  readonly origin: ChildOrigin;
}
