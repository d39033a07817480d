import type { AttemptChange } from '../activities/ledger-port';

/** Column of each field of a change. */
export const changeColumns: Record<keyof AttemptChange, string> = {
  state: 'state',
  reason: 'reason',
  modelStop: 'model_stop',
  taskCompletion: 'task_completion',
  turn: 'turn',
  step: 'step',
  acked: 'acked',
  heard: 'heard',
  account: 'account',
  limits: 'limits',
  tainted: 'tainted',
  baseCommit: 'base_commit',
  snapshot: 'snapshot',
  host: 'workspace_host',
  contractVersion: 'revised_version',
  revisedAfterStep: 'revised_after_step',
  compactAfter: 'compact_after',
  versionsNoted: 'versions_noted',
  staleTargets: 'stale_targets',
  ended: 'ended_at',
};

/** Those that are kept as JSON. */
export const jsonFields: ReadonlySet<string> = new Set<keyof AttemptChange>(['account', 'limits', 'staleTargets']);
