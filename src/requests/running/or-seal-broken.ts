import type { SealProblem } from '../../domain/contract/sealed';
import { SealBrokenError } from '../../ledger/hold-seal';
import { RequestRefused } from '../request-refused';

/** What begins an attempt. Rejects with RequestRefused where its contract needs another sealed test (R3.4). */
export async function orSealBroken<T>(beginning: Promise<T>): Promise<T> {
  try {
    return await beginning;
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error;
    throw new RequestRefused('seal_broken', error.message, sealWords(error.problem));
  }
}

function sealWords(problem: SealProblem): string {
  switch (problem.kind) {
    case 'unsealed_before':
      return `"${problem.criterion}" was unsealed and is development material now: take its seal off, and seal a check of other content.`;
    case 'none_sealed':
      return 'A sealed test of it was unsealed before: seal a check of other content in its task file.';
  }
}
