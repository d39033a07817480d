/** One thing that Holdfast depends on, looked at when `run` is called. */
export interface Check {
  readonly name: string;
  /** Without it nothing runs; the others only make something better. */
  readonly required: boolean;
  /** Never rejects; takes seconds at most. */
  run(): Promise<CheckResult>;
}

export interface CheckResult {
  readonly ok: boolean;
  /** What is there, for a person. */
  readonly found: string;
  /** What to do; present where `ok` is false. */
  readonly fix?: string;
}
