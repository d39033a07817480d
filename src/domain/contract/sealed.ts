import { canonicalHash } from '../canonical';
import type { Contract, Criterion } from './contract';

/** The sealed tests of a contract, in order (R3.4). */
export const sealedTests = ({ acceptance }: Pick<Contract, 'acceptance'>): readonly Criterion[] =>
  acceptance.filter(({ sealed }) => sealed);

/** What makes two sealed tests the same one, whatever they are called and however long they may take: 64 hex digits. */
export function sealedHash(criterion: Criterion): string {
  const content = Object.entries(criterion).filter(([key]) => !aside.has(key));
  const files = criterion.check === 'command' && criterion.files && { files: criterion.files.hash };
  return canonicalHash({ ...Object.fromEntries(content), ...files });
}
const aside: ReadonlySet<string> = new Set(['id', 'sealed', 'repair', 'timeoutMs', 'withinMs']);

/** The contract in which this test is development material: it gives feedback as any other check (R3.4). */
export function unsealed(contract: Contract, id: string): Contract {
  const { acceptance } = contract;
  return { ...contract, acceptance: acceptance.map((one) => (one.id === id ? withoutSeal(one) : one)) };
}

function withoutSeal(criterion: Criterion): Criterion {
  const { sealed: _sealed, ...open } = criterion;
  return open;
}

export type SealProblem =
  | { readonly kind: 'unsealed_before'; readonly criterion: string }
  | { readonly kind: 'none_sealed' };

/**
 * Why a contract may not be started under, where tests of its task were unsealed (R3.4); undefined where it may.
 * `unsealed`: hashes of those.
 */
export function sealProblem(
  contract: Pick<Contract, 'acceptance'>,
  unsealed: readonly string[],
): SealProblem | undefined {
  if (unsealed.length === 0) return undefined;
  const tests = sealedTests(contract);
  const known = tests.find((test) => unsealed.includes(sealedHash(test)));
  if (known) return { kind: 'unsealed_before', criterion: known.id };
  return tests.length === 0 ? { kind: 'none_sealed' } : undefined;
}
