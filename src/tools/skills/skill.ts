/** Instructions for one kind of work, which a model reads when it needs them: a folder with a SKILL.md. */
export interface Skill {
  readonly name: string;
  /** When to use it, for the model. */
  readonly description: string;
  /** What stands in SKILL.md after its header. */
  readonly body: string;
  /** Other files of the folder by their paths in it, `/` between the parts. */
  readonly files: ReadonlyMap<string, string>;
  /** First 16 hex digits of the SHA-256 over all of it: its version (R12.1). */
  readonly version: string;
}
