/** How a worker reaches the servers of a test's world. */
export interface Ways {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
}
