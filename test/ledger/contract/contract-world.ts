import type { ForkOrigin, LedgerPort, RevocationAsk } from '../../../src/activities/ledger-port';
import type { Limits } from '../../../src/domain/budget/account';
import type { Contract } from '../../../src/domain/contract/contract';
import type { EventContent, Visibility } from '../../../src/protocol/events';
import type { AttemptRef } from '../../../src/protocol/ids';
import type { Message } from '../../../src/protocol/messages';

/** What the contract tests of LedgerPort need beside the port: what other parts of Holdfast write into a ledger. */
export interface ContractWorld {
  /** A port with caches and connections of its own over the same rows, as another process has it. */
  port(): LedgerPort;
  /** Starts an attempt; of a task of its own where none is named. */
  attempt(change?: NewAttempt): Promise<AttemptRef>;
  /** Starts attempts of a task of their own side by side (R15.1). */
  race(of: number): Promise<readonly AttemptRef[]>;
  /** A lease (M9), of a worker of that host; `end` ends it. */
  worker(workspaceHost?: string): Promise<{ readonly id: string; end(): Promise<void> }>;
  /** Stores a message as the command line does (M4). */
  send(ref: AttemptRef, message: Message): Promise<void>;
  revoke(tenant: string, revocation: RevocationAsk & { readonly reason: string; readonly by: string }): Promise<void>;
  /** Events of an attempt by sequence. */
  events(ref: AttemptRef): Promise<readonly StoredEvent[]>;
  close(): Promise<void>;
}

export interface NewAttempt {
  readonly tenant?: string;
  readonly task?: string;
  /** The first message. */
  readonly input?: string;
  readonly contract?: Partial<Contract>;
  readonly limits?: Partial<Limits>;
  /** Who starts it. */
  readonly by?: string;
  readonly versions?: Readonly<Record<string, string>>;
  readonly forkedFrom?: ForkOrigin;
}

export interface StoredEvent {
  readonly sequence: number;
  readonly move: number;
  readonly k: number;
  readonly type: EventContent['type'];
  readonly turn: number;
  readonly step: number;
  readonly visibility: Visibility;
  readonly payload: unknown;
}

/** Called where the tests are defined; the world is there once they run. */
export type World = () => ContractWorld;
