import type { ConnectionOptions, Metadata } from '@temporalio/client';

/** A Temporal service to connect to; the same for clients and workers. */
export interface TemporalTarget {
  readonly address: string;
  readonly namespace: string;
  readonly connection: TemporalCredentials;
}
export interface TemporalCredentials {
  readonly apiKey?: string;
  readonly tls?: NonNullable<ConnectionOptions['tls']>;
  readonly metadata?: Metadata;
}
