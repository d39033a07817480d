import { canonicalHash } from '../canonical';
import { collapsed, withoutAsides, withoutProse } from './wordless';

export interface FingerprintedCall {
  readonly tool: string;
  /** Parsed arguments, or the raw text where it is no JSON. */
  readonly args: unknown;
  /** Version of the world that the call acts on: the workspace's snapshot; empty without a workspace. */
  readonly environment: string;
  /** Id of the plan step that is being worked on; empty without one. */
  readonly planStep: string;
  /** It changes something outside: every word of its arguments is part of what it does. */
  readonly outside: boolean;
  /** Arguments that change nothing of what is asked, such as a time limit: no part of the call. */
  readonly incidental?: readonly string[];
}

/**
 * Tells a repeated call from one in a changed world (R7.1): 64 hex digits. Reading a file before and after a patch are
 * two fingerprints, for the patch made another snapshot. White space in texts does not count, nor do words beside a call.
 */
export function fingerprint({
  tool,
  args,
  environment,
  planStep,
  outside,
  incidental = [],
}: FingerprintedCall): string {
  const asked = without(incidental, args);
  return canonicalHash({ tool, args: collapsed(outside ? asked : withoutAsides(asked)), environment, planStep });
}

function without(names: readonly string[], args: unknown): unknown {
  if (names.length === 0 || typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}

/** The fingerprint of a call without the step of the plan, which the model may name as it likes; undefined without one. */
export function stepless(call: FingerprintedCall): string | undefined {
  return call.planStep === '' ? undefined : fingerprint({ ...call, planStep: '' });
}

/** The fingerprint that a call has when its prose is left out; undefined where that leaves out nothing. */
export function likeness(call: FingerprintedCall): string | undefined {
  if (call.outside) return undefined;
  const alike = fingerprint({ ...call, args: withoutProse(call.args) });
  return alike === fingerprint(call) ? undefined : alike;
}
