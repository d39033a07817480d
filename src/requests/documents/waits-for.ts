import type { Pool } from 'pg';
import type { ListedAttempt } from '../../ledger/queries/attempt-list';
import { openApprovals } from '../../ledger/queries/open-approvals';
import { unknownEffects } from '../../ledger/queries/unknown-effects';

/** By attempt: whom or what it waits for, in a few words; nothing of those that wait for nobody. */
export async function waitsFor(
  pool: Pool,
  tenant: string,
  attempts: readonly ListedAttempt[],
): Promise<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  const add = (id: string, text: string) => words.set(id, words.has(id) ? `${words.get(id)}; ${text}` : text);
  for (const { attemptId, state } of attempts) {
    const whom = ofState(state);
    if (whom !== undefined) add(attemptId, whom);
  }
  const [approvals, effects] = await Promise.all([openApprovals(pool, { tenant }), unknownEffects(pool, { tenant })]);
  for (const { attemptId, tool, approvers, needed, answers } of approvals) {
    const left = needed - answers.filter(({ answer }) => answer === 'approve').length;
    add(
      attemptId,
      `approval of ${tool} by ${approvers.join(' or ') || 'anybody'}${left > 1 ? `, ${left} of them` : ''}`,
    );
  }
  for (const { attemptId, tool, asked } of effects) {
    add(attemptId, asked ? `somebody to say whether ${tool} happened` : `the truth about ${tool}`);
  }
  return words;
}

/** Approvals and effects are told from their own rows. */
function ofState(state: ListedAttempt['state']): string | undefined {
  switch (state) {
    case 'WAITING_FOR_USER':
      return 'a word';
    case 'SUSPENDED':
      return 'somebody to resume it';
    case 'WAITING_FOR_EFFECT':
      return "a job, or another attempt's effect on the same target";
    default:
      return undefined;
  }
}
