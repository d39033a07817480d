import type { Contract, Criterion } from './contract';

/**
 * The contract with what its kind demands beside what was written: a code change must change something, also where no
 * diff criterion says so (R3.3). Applied once, before the contract is hashed, so that every reader sees the same list.
 */
export function withImplied(contract: Contract): Contract {
  if (contract.kind !== 'code_change' || contract.acceptance.some((criterion) => criterion.check === 'diff')) {
    return contract;
  }
  return { ...contract, acceptance: [{ id: freeId(contract.acceptance), check: 'diff' }, ...contract.acceptance] };
}

function freeId(taken: readonly Criterion[]): string {
  let id = 'changed';
  while (taken.some((criterion) => criterion.id === id)) id = `${id}-something`;
  return id;
}
