import type { AttemptDocument } from '../requests/documents/attempt-document';
import { troubleWords } from '../requests/words/trouble-words';
import { excerpt } from '../requests/words/words';
import { budgetWords, tenantUseWords } from './budget-words';
import { paint } from './output';
import { raceWords } from './race-words';
import { renderCancel } from './render-cancel';
import { renderCheckpoints } from './render-checkpoints';
import { renderCheck } from './render-checks';
import { renderEffects } from './render-effects';
import { renderPending } from './render-pending';
import { renderThread } from './render-thread';
import { row } from './row';
import { takenWords } from './taken-words';
import { stateWord } from './words';

const textLength = 400;

/** All about one attempt, as lines for a person. */
export function renderDetails(details: AttemptDocument): readonly string[] {
  const { state, reason, goal, turn, step, checks } = details;
  return [
    paint('bold', details.attemptId),
    row('state', `${stateWord(state)}${reason === null ? '' : ` (${reason})`}`),
    ...(details.cancel === null ? [] : renderCancel(details.cancel, details.effects)),
    row('goal', excerpt(goal, textLength)),
    ...details.revisions.map((text) => row('revised', excerpt(text, textLength))),
    row('at', `turn ${turn}, step ${step}`),
    ...renderThread(details),
    ...(details.race === null ? [] : [row('beside', raceWords(details.race))]),
    ...(details.forkedFrom === null ? [] : [row('from', details.forkedFrom)]),
    ...(details.took === null ? [] : [row('knows', `the record of ${details.took.from}: ${takenWords(details.took)}`)]),
    row('used', budgetWords(details.budget, details.priceUnknown)),
    ...(details.tenantUse === null ? [] : [row('tenant', tenantUseWords(details.tenantUse))]),
    ...checks.flatMap(renderCheck),
    ...renderEffects(details),
    ...workspaceLines(details),
    ...(details.lastStep?.text ? [row('said', `“${excerpt(details.lastStep.text, textLength)}”`)] : []),
    ...(state === 'FAILED' && details.trouble !== null ? [row('why', troubleWords(details.trouble))] : []),
    ...renderCheckpoints(details.checkpoints),
    ...details.waitingMessages.map(({ id, kind }) => row('inbox', `${kind} ${id} waits to be taken`)),
    ...(details.workflowStarted ? [] : [row('note', 'the start was left half done; a worker finishes it')]),
    ...details.pending.flatMap(renderPending),
  ];
}

/** Where the work comes from, where it is, and how to look at it; the result's branch says that by itself. */
function workspaceLines({ state, workspace, place }: AttemptDocument): readonly string[] {
  if (workspace === null) return [];
  const { git, ref, base, snapshot, branch, commit } = workspace;
  const from = `${git} at ${ref}${base === null ? '' : ` (${base.slice(0, 10)})`}`;
  if (branch !== null) return [row('workspace', `${from} → branch ${paint('bold', branch)} (${commit?.slice(0, 10)})`)];
  const lines = [row('workspace', from)];
  if (place === null || snapshot === null) return lines;
  if (place.worktree !== null) lines.push(row('worktree', place.worktree));
  if (snapshot === base) return [...lines, row('changes', state === 'COMPLETED' ? 'nothing changed' : 'none yet')];
  // From the mirror, because the worktree's own git settings are the agent's to write.
  return [...lines, row('changes', paint('bold', `git --git-dir ${place.mirror} diff ${base} ${snapshot}`))];
}
