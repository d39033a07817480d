import type { FailureClass } from '../failure/failure';

/** A call and what was observed of it. */
export interface SeenCall {
  /** Of the attempt. */
  readonly step: number;
  readonly print: string;
  /** Its fingerprint without words; undefined where it has none to leave out. */
  readonly likeness: string | undefined;
  /** Its fingerprint without the step of the plan; undefined where it was made in none. */
  readonly stepless: string | undefined;
  /** Version of the workspace that it acted on, and that it left; null without one, and where it changes none. */
  readonly environment: string | null;
  readonly snapshot: string | null;
  /** It may have changed something. */
  readonly sent: boolean;
  /** The ladder stopped it; nothing of it ran. */
  readonly stopped: boolean;
  /** A poll within the tool's limit. */
  readonly poll: boolean;
  readonly ok: boolean;
  /** Hash of what it answered. */
  readonly answer: string;
  /** Length of the answer. */
  readonly tokens: number;
  /** It says that nothing was found. */
  readonly foundNothing: boolean;
  readonly failureClass: FailureClass | null;
  readonly failingTests: number | null;
}

/** Failures that say something of the way and nothing of the call. */
export function infrastructure(failureClass: FailureClass | null): boolean {
  switch (failureClass) {
    case 'tool_transient':
    case 'environment_drift':
    case 'model_transient':
    case 'unrecoverable':
    case 'budget_exhausted':
      return true;
    case 'model_semantic':
    case 'policy_denied':
    case 'tool_argument':
    case 'tool_business':
    case 'state_conflict':
    case 'verification_failure':
    case 'unknown_effect':
    case null:
      return false;
  }
}
