import { type Reaction, reactTo } from '../../domain/failure/reactions';
import type { Failed } from '../../protocol/calls';
import type { Run } from '../run/run';

/** No further try follows; `reaction` says what does. */
export interface Exhausted {
  readonly kind: 'exhausted';
  readonly reaction: Exclude<Reaction, { kind: 'retry' }>;
}

/**
 * Asks again as long as the reaction table says so (R8.5). Each try is a move of its own (M2); its wait, drawn from the
 * workflow's random source, ends early for a cancel or a suspension, which that next move then takes. `before`: tries that
 * went before, with a wait between.
 */
export async function retried<A extends { readonly kind: string }>(
  run: Run,
  ask: (tries: number) => Promise<A | Failed>,
  before = 0,
): Promise<A | Exhausted> {
  for (let tries = before + 1; ; tries += 1) {
    const answer = await ask(tries);
    if (!isFailed(answer)) return answer;
    const reaction = reactTo(answer.failure, tries, run.host.random);
    if (reaction.kind !== 'retry') return { kind: 'exhausted', reaction };
    const why = `before try ${tries + 1} · ${answer.failure.code}`;
    await run.host.sleep(reaction.afterMs, why, () => run.mailbox.hasStop);
  }
}

export function isFailed(answer: { readonly kind: string }): answer is Failed {
  return answer.kind === 'failed';
}
