import { citationProblemInWords, checkCitations as problemsOf } from '../../domain/contract/citations-check';
import type { CitationsCriterion } from '../../domain/contract/contract';
import { keepOutput } from '../keep-output';
import { readSources } from './read-sources';
import { reportOf } from './report-of';
import type { Verifier } from './verifier';

/** Each quote of the candidate stands in its source as the ledger keeps it; what the source says by now plays no part. */
export const checkCitations: Verifier<CitationsCriterion> = async (scene, criterion) => {
  const { deps, attempt } = scene;
  const report = (await reportOf(scene)) ?? { citations: [], unknowns: [] };
  const problems = problemsOf(criterion, report, await readSources(scene));
  return {
    kind: 'checked',
    met: problems.length === 0,
    snapshot: attempt.snapshot,
    evidence: {
      detail: problems.map(citationProblemInWords).join(' '),
      ran: `citations ${JSON.stringify({ minSources: criterion.minSources, questions: criterion.questions })}`,
      ...(await keepOutput(deps, attempt.ref.tenant, JSON.stringify(report))),
    },
  };
};
