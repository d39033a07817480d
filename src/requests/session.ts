import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import type { Config } from '../config';
import type { Channel } from '../domain/policy/policy';

/** What a request works with. Temporal is connected to when it is first asked for. */
export interface Session {
  readonly config: Config;
  readonly tenant: string;
  /** Checked: the database answers and has the ledger. */
  readonly pool: Pool;
  readonly sender: Sender;
  /** Rejects with RequestRefused where Temporal cannot be reached. */
  temporal<T>(use: (client: Client) => Promise<T>): Promise<T>;
  /** Told what is waited for, where that takes longer than a person looks at nothing. */
  aside?(line: string): void;
}

/** Who asks, and by which door. */
export type Sender =
  /** Taken at their word. `login`: nobody said who, so it is the login name. */
  | { readonly door: 'cli'; readonly name: string; readonly login?: true }
  /** Has proved who they are. `requestId`: the same each time the same request is sent; where left out, no two are the same. */
  | { readonly door: 'gateway'; readonly name: string; readonly roles: readonly string[]; readonly requestId?: string };

/** What an answer says of how it came, beside who gave it (R5.5); nothing of one who is taken at their word. */
export function channelOf({ door }: Sender): { readonly channel?: Channel } {
  return door === 'gateway' ? { channel: 'authenticated' } : {};
}
