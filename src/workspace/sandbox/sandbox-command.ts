/** What a command may see and touch. Paths are absolute. */
export interface SandboxCommand {
  readonly line: string;
  /** Writable, and the working folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** Readable at their own path. */
  readonly readOnly: readonly string[];
  readonly mounts: readonly Mount[];
  readonly network: boolean;
}
export type Mount =
  | { readonly kind: 'read_only' | 'writable'; readonly from: string; readonly to: string }
  /** Empty, writable, and gone with the command. */
  | { readonly kind: 'scratch'; readonly to: string };
