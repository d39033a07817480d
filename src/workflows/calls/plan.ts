import type { StartSnapshot } from '../../protocol/attempt';
import type { PlannedAction } from '../../protocol/calls';
import { sealedTaskQueue } from '../../protocol/ids';
import {
  commitTimeoutMs,
  landGraceMs,
  ledgerCallTimeoutMs,
  prepareTimeoutMs,
  quickActTimeoutMs,
  settleTimeoutMs,
  shownNameMax,
  verifyTimeoutMs,
} from '../limits';

/** How one numbered call is sent; no part of it is compared (M1). */
export interface Plan {
  readonly lane: Lane;
  /** The task queue of a regular call; the workflow's own where left out. */
  readonly queue?: string;
  /** It needs the worktree, which one of several hosts may have. */
  readonly workspace?: true;
  /** Longest that it may wait for a worker to take it, ms; without end where left out. */
  readonly scheduleToStartMs?: number;
  /** Longest that one execution may take, ms. */
  readonly startToCloseMs: number;
  /** For the Temporal UI: ids and a tool's name, at most 200 bytes. */
  readonly summary: string;
}

/**
 * `local` runs in the workflow's own task and costs one marker; `regular` is an activity with heartbeats and a queue.
 * Both run the same code, and the ledger answers a repeat on either (M1).
 */
export type Lane = 'local' | 'regular';

/**
 * The lane of actions that are sent side by side: a regular one is sent when the workflow's task ends, and that waits for every
 * local one, so all are local or none is.
 */
export function laneOf(actions: readonly Pick<PlannedAction, 'quick'>[]): Lane {
  return actions.every(({ quick }) => quick) ? 'local' : 'regular';
}

/** A call with the facts that decide how it is sent. */
export type Work =
  | { readonly kind: 'think'; readonly step: number; readonly model: StartSnapshot['models'][number] }
  | {
      readonly kind: 'compact';
      readonly step: number;
      readonly model: StartSnapshot['models'][number];
      readonly mechanical?: true;
    }
  | { readonly kind: 'act' | 'probe'; readonly step: number; readonly action: PlannedAction }
  | { readonly kind: 'verify' | 'verifySealed'; readonly criterion: string }
  | { readonly kind: 'prepare' | 'commit' | 'record' | 'settle' };

/** Chooses the lane from facts in the workflow's state, never from a clock: what is expected to be quick is local. */
export function planOf(work: Work): Plan {
  switch (work.kind) {
    case 'think':
      return {
        lane: work.model.quick ? 'local' : 'regular',
        startToCloseMs: work.model.timeoutMs + landGraceMs,
        summary: `step ${work.step} · ${work.model.name.slice(0, shownNameMax)}`,
      };
    case 'compact':
      return {
        lane: work.mechanical || work.model.quick ? 'local' : 'regular',
        startToCloseMs: work.mechanical ? ledgerCallTimeoutMs : work.model.timeoutMs + landGraceMs,
        summary: `before step ${work.step} · what went before, ${work.mechanical ? 'without a summary' : 'summed up'}`,
      };
    case 'act':
      return {
        lane: laneOf([work.action]),
        ...(work.action.workspace && { workspace: true }),
        startToCloseMs: (work.action.timeoutMs ?? quickActTimeoutMs) + landGraceMs,
        summary: `s${work.step}.a${work.action.index} · ${work.action.tool.slice(0, shownNameMax)}`,
      };
    case 'probe':
      return {
        lane: work.action.quick ? 'local' : 'regular',
        startToCloseMs: (work.action.timeoutMs ?? quickActTimeoutMs) + landGraceMs,
        summary: `s${work.step}.a${work.action.index} · what became of ${work.action.tool.slice(0, shownNameMax)}`,
      };
    case 'verify':
      return {
        lane: 'regular',
        workspace: true,
        startToCloseMs: verifyTimeoutMs,
        summary: work.criterion.slice(0, shownNameMax),
      };
    case 'verifySealed':
      return {
        lane: 'regular',
        queue: sealedTaskQueue,
        startToCloseMs: verifyTimeoutMs,
        summary: work.criterion.slice(0, shownNameMax),
      };
    case 'prepare':
      return {
        lane: 'regular',
        workspace: true,
        startToCloseMs: prepareTimeoutMs,
        summary: 'worktree and dependencies',
      };
    case 'commit':
      return { lane: 'regular', workspace: true, startToCloseMs: commitTimeoutMs, summary: 'verified candidate' };
    case 'record':
      return { lane: 'local', startToCloseMs: ledgerCallTimeoutMs, summary: work.kind };
    case 'settle':
      return { lane: 'local', workspace: true, startToCloseMs: settleTimeoutMs, summary: work.kind };
  }
}
