import { type Report, readReport } from '../../domain/contract/report';
import { loadBody } from '../bodies';
import type { CheckScene } from './verifier';

/** What the candidate's `finish` said, beside its summary; undefined where it ended without one. */
export async function reportOf({ deps, attempt }: CheckScene): Promise<Report | undefined> {
  const { ref, step } = attempt;
  const [proposal] = await deps.ledger.history(ref, step, step);
  const finish = proposal?.calls.find(({ tool }) => tool === 'finish');
  if (!finish) return undefined;
  return readReport(JSON.parse(await loadBody(deps.artifacts, ref.tenant, finish.args)));
}
