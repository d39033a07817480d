import { reactTo } from '../../domain/failure/reactions';
import type { CallAnswers, PlannedAction } from '../../protocol/calls';
import { abortCalls, type Run } from '../run/run';
import { nextPlace } from './call';
import { act } from './numbered';
import { laneOf } from './plan';
import { type Exhausted, isFailed } from './retried';

/** An action to ask for, after so many tries of it. */
export interface Member {
  readonly action: PlannedAction;
  readonly before: number;
}
/** Its last answer, and the tries that it has had. */
export interface Result {
  readonly action: PlannedAction;
  readonly answer: Exclude<CallAnswers['act'], { kind: 'failed' }> | Exhausted | Left;
  readonly tries: number;
}
/** Its failure passes, and it is tried again when the batch goes on: another one has stopped that. */
export interface Left {
  readonly kind: 'left';
}

interface Ask {
  readonly action: PlannedAction;
  readonly tries: number;
  /** A wait before it, and why. */
  readonly wait?: { readonly ms: number; readonly why: string };
}

/**
 * Asks for actions side by side, and again for those whose failure passes (R14.2, R8.5).
 *
 *   I1  Numbers are given in the proposal's order; those of a round of further tries before its waits, once the round before is
 *       over as a whole (M1). So they follow from answers, whatever ended first.
 *   I2  Where one has stopped the batch, by a wait (R5.4), a cancel (M5) or an end, no further round begins.
 *
 * Returns the results in the order of the members.
 */
export async function sideBySide(run: Run, members: readonly Member[]): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  let round: readonly Ask[] = members.map(({ action, before }) => ({ action, tries: before + 1 }));
  while (round.length > 0) {
    const answers = await askAll(run, round);
    const ended = answers.map(({ action, tries, answer }): Result | Again => {
      if (!isFailed(answer)) return { action, tries, answer };
      const reaction = reactTo(answer.failure, tries, run.host.random);
      if (reaction.kind !== 'retry') return { action, tries, answer: { kind: 'exhausted', reaction } };
      const why = `before try ${tries + 1} · ${answer.failure.code}`;
      return { action, tries, wait: { ms: reaction.afterMs, why } };
    });
    const stops = ended.some((one) => 'answer' in one && stopsBatch(one.answer)); // I2
    const again: Ask[] = [];
    for (const one of ended) {
      const { action, tries } = one;
      if ('answer' in one) results.set(action.index, one);
      else if (stops) results.set(action.index, { action, tries, answer: { kind: 'left' } });
      else again.push({ action, tries: tries + 1, wait: one.wait });
    }
    round = again;
  }
  return members.flatMap(({ action }) => results.get(action.index) ?? []);
}

/** A failure that passes. */
interface Again extends Ask {
  readonly wait: NonNullable<Ask['wait']>;
}

function stopsBatch(answer: Result['answer']): boolean {
  switch (answer.kind) {
    case 'observed':
      return answer.loop === true;
    case 'denied':
    case 'left':
      return false;
    case 'exhausted':
      return answer.reaction.kind !== 'observe';
    case 'needs_approval':
    case 'target_busy':
    case 'pending':
    case 'unknown':
    case 'over_budget':
    case 'interrupted':
    case 'gave_up':
      return true;
  }
}

interface Answered extends Ask {
  readonly answer: CallAnswers['act'];
}

async function askAll(run: Run, round: readonly Ask[]): Promise<readonly Answered[]> {
  const lane = laneOf(round.map(({ action }) => action));
  const beside = run.n + 1;
  const placed = round.map((ask) => ({ ...ask, place: { ...nextPlace(run), beside } })); // I1
  let stopped = false;
  const ask = async ({ action, tries, wait, place }: (typeof placed)[number]) => {
    if (wait) await run.host.sleep(wait.ms, wait.why, () => stopped || run.mailbox.hasStop);
    const answer = await act(run, action, tries, { place, lane });
    if (answer.kind === 'interrupted' && !stopped) {
      stopped = true;
      abortCalls(run); // whoever took it may have heard of it before a signal came
    }
    return { action, tries, answer };
  };
  return await Promise.all(placed.map(ask));
}
