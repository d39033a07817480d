import { errorText } from '../process/error-text';
import type { Check, CheckResult } from './check';

/** A check whose failure to look is a finding too: `fix` is what to do then. */
export function defineCheck(name: string, required: boolean, fix: string, look: () => Promise<CheckResult>): Check {
  const run = () => look().catch((error: unknown): CheckResult => ({ ok: false, found: errorText(error), fix }));
  return { name, required, run };
}
