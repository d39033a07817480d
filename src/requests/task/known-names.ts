/** Names that a task file may use. */
export interface KnownNames {
  readonly tools: readonly string[];
  /** Those of them that change nothing. */
  readonly reads: readonly string[];
  /** MCP servers may have others, which only the worker knows: a name that is not in `tools` is let through. */
  readonly moreTools?: boolean;
  readonly models: readonly string[];
  /** None where left out. */
  readonly databases?: readonly string[];
  /** Hashes of the files that checks may bring along, by name; none where left out. */
  readonly files?: Readonly<Record<string, string>>;
  /** Instead of the model that the file names. */
  readonly model?: string;
}
