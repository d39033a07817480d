import { canonicalHash } from '../canonical';

/**
 * Tells a repeated call from one in a changed world (R7.1): 64 hex digits. Reading a file before and after a patch are
 * two fingerprints, for the patch made another snapshot.
 */
export function fingerprint(call: {
  readonly tool: string;
  /** Parsed arguments, or the raw text where it is no JSON. */
  readonly args: unknown;
  /** Version of the world that the call acts on: the workspace's snapshot; empty without a workspace. */
  readonly environment: string;
  /** Id of the plan step that is being worked on; empty without one. */
  readonly planStep: string;
}): string {
  const { tool, args, environment, planStep } = call;
  return canonicalHash({ tool, args, environment, planStep });
}
