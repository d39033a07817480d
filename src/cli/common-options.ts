/** Options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly tenant: string;
  readonly config?: string;
  readonly dataDir?: string;
}

export interface FollowOptions {
  readonly watch?: boolean;
  readonly wait?: boolean;
}
