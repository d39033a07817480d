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
  readonly answer: Exclude<CallAnswers['act'], { kind: 'failed' }> | Exhausted;
  readonly tries: number;
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
 *   I2  A cancel or a request to suspend that one of a round took is every other's too, and no further round begins (M5).
 *
 * Returns the results in the order of the members.
 */
export async function sideBySide(run: Run, members: readonly Member[]): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  let round: readonly Ask[] = members.map(({ action, before }) => ({ action, tries: before + 1 }));
  while (round.length > 0) {
    const answers = await askAll(run, round);
    const stop = answers.find((answer) => answer.kind === 'interrupted');
    const again: Ask[] = [];
    for (const [at, { action, tries }] of round.entries()) {
      const answer = answers[at];
      if (!answer) throw new Error(`Nothing was answered of action ${action.index}`);
      if (!isFailed(answer)) {
        results.set(action.index, { action, answer, tries });
        continue;
      }
      const reaction = reactTo(answer.failure, tries, run.host.random);
      if (reaction.kind !== 'retry')
        results.set(action.index, { action, answer: { kind: 'exhausted', reaction }, tries });
      else if (stop)
        results.set(action.index, { action, answer: stop, tries }); // I2
      else {
        const why = `before try ${tries + 1} · ${answer.failure.code}`;
        again.push({ action, tries: tries + 1, wait: { ms: reaction.afterMs, why } });
      }
    }
    round = again;
  }
  return members.flatMap(({ action }) => results.get(action.index) ?? []);
}

async function askAll(run: Run, round: readonly Ask[]): Promise<readonly CallAnswers['act'][]> {
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
    return answer;
  };
  return await Promise.all(placed.map(ask));
}
