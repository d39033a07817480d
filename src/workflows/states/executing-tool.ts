import type { Batch } from '../../protocol/attempt';
import { act } from '../calls/numbered';
import { retried } from '../calls/retried';
import { type Result, sideBySide } from '../calls/side-by-side';
import { type Asked, after, nextGroup, nextJob, triesOf } from '../run/batch';
import { blocked, endAs, overBudget, stopped, withoutModel } from '../run/next';
import type { Run } from '../run/run';
import type { ExecutingRunState, RunState } from '../run/run-state';

/**
 * Runs the proposal's actions, reads beside reads and the rest one after another in its order, each to its observation. What stops
 * one stops those that have not begun (R5.4), and what ran beside it is not run again (R14.3). What is left is the run's state
 * at every moment, for a suspension to go on with.
 */
export async function executingTool(run: Run, { batch }: ExecutingRunState): Promise<RunState> {
  for (let rest = batch; ; ) {
    run.state = { kind: 'EXECUTING_TOOL', batch: rest };
    const group = nextGroup(run, rest);
    if (group.length === 0) {
      const job = nextJob(rest);
      if (job) return { kind: 'WAITING_FOR_EFFECT', batch: rest, ...job };
      return { kind: 'DECIDING', actions: [], stop: rest.stop };
    }
    const members = group.map((action) => ({ action, before: triesOf(rest, action) }));
    const results = members.length > 1 ? await sideBySide(run, members) : await one(run, members);
    rest = after(
      rest,
      results.map((result) => askedOf(run, result)),
    );
    run.state = { kind: 'EXECUTING_TOOL', batch: rest };
    const [first] = results.flatMap((result) => nextOf(run, rest, result) ?? []).sort((a, b) => a.rank - b.rank);
    if (first) return await first.go();
  }
}

/** Without the machinery of several: of most proposals. */
async function one(run: Run, [member]: readonly { action: Result['action']; before: number }[]): Promise<Result[]> {
  if (!member) throw new Error('A group of nothing');
  const { action, before } = member;
  let tries = before;
  const answer = await retried(
    run,
    (count) => {
      tries = count;
      return act(run, action, count);
    },
    before,
  );
  return [{ action, answer, tries }];
}

/** Where nothing was begun, the next call is the same try. A compensation is its one action, and ends with it. */
function askedOf({ start }: Run, { action, answer, tries }: Result): Asked {
  switch (answer.kind) {
    case 'observed':
      return { action, tries: undefined, shown: answer.ok };
    case 'denied':
      return { action, tries: undefined, shown: false };
    case 'needs_approval':
    case 'target_busy':
    case 'over_budget':
      return { action, tries: tries - 1, shown: false };
    case 'pending': {
      const { effect, lookAt } = answer;
      return { action, tries: tries - 1, shown: false, pending: { effect, lookAt } };
    }
    case 'unknown':
    case 'interrupted':
    case 'left':
      return { action, tries, shown: false };
    case 'gave_up':
      return { action, tries: answer.unknown ? tries : undefined, shown: false };
    case 'exhausted': {
      const isOver = answer.reaction.kind === 'observe' || start.compensation !== undefined;
      return { action, tries: isOver ? undefined : tries - 1, shown: false };
    }
  }
}

/**
 * Which of several ways on is gone: a stop that was taken is the attempt's (M5), an end is its end, and of the others the first
 * in the proposal's order. What the others need is found again when they are asked for again.
 */
const ranks = { cancel: 0, end: 1, suspend: 2, pause: 3 } as const;
interface Next {
  readonly rank: number;
  readonly go: () => RunState | Promise<RunState>;
}

/** Undefined where the batch goes on. */
function nextOf(run: Run, batch: Batch, { answer }: Result): Next | undefined {
  const pause = (go: Next['go']): Next => ({ rank: ranks.pause, go });
  const end = (reason: 'loop_detected' | 'failed'): Next => ({
    rank: ranks.end,
    go: () => endAs(run, 'FAILED', reason),
  });
  const { compensation } = run.start;
  switch (answer.kind) {
    case 'observed':
      if (answer.loop) return end('loop_detected');
      return compensation && !answer.ok ? end('failed') : undefined;
    case 'denied':
      return compensation ? end('failed') : undefined;
    case 'left':
      return undefined;
    case 'needs_approval': {
      const { binding, expiresAt } = answer;
      return pause(() => ({ kind: 'WAITING_FOR_APPROVAL', batch, binding, expiresAt }));
    }
    case 'target_busy':
      return pause(() => ({ kind: 'WAITING_FOR_EFFECT', batch, effect: answer.effect }));
    case 'pending':
      return undefined; // others may be submitted beside it
    case 'unknown':
      return pause(() => reconcile(batch));
    case 'over_budget':
      return pause(() => overBudget(run, answer));
    case 'interrupted':
      return { rank: answer.suspend ? ranks.suspend : ranks.cancel, go: () => stopped(run, answer) };
    case 'gave_up':
      if (answer.unknown) return pause(() => reconcile(batch));
      return compensation ? end('failed') : pause(() => blocked);
    case 'exhausted': {
      const { reaction } = answer;
      if (compensation) return end('failed');
      return reaction.kind === 'observe' ? undefined : pause(() => withoutModel(run, reaction));
    }
  }
}

const reconcile = (batch: Batch): RunState => ({ kind: 'RECONCILING', batch, round: batch.round ?? 0, ask: false });
