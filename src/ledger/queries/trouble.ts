/** What stood in an attempt's way last: the newest of the events that tell of progress or trouble, where it is trouble. */
export interface Trouble {
  readonly kind: 'model' | 'tool' | 'workspace' | 'commit' | 'check' | 'activity' | 'workflow';
  /** What it was about: the model, the tool, the branch, the criterion, the call. */
  readonly what: string;
  readonly code: string;
  readonly detail: string | null;
}

export interface TroubleRow {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The newest event of attempt `a` that `troubleOf` reads, as JSON; null where there is none. */
export const troubleColumn = `(select json_build_object('type', type, 'payload', payload) from events where attempt = a.key
    and type in ('model_failed', 'tool_failed', 'workspace_failed', 'commit_failed', 'gave_up', 'workflow_lost', 'criterion_checked',
                 'model_answered', 'action_finished', 'workspace_ready', 'committed', 'message_taken')
    order by sequence desc limit 1)`;

/** Null where the newest is progress. */
export function troubleOf(row: TroubleRow | null): Trouble | null {
  if (row === null) return null;
  const { payload } = row;
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '');
  const trouble = (kind: Trouble['kind'], what: string, code = text('code')): Trouble => ({
    kind,
    what,
    code,
    detail: text('detail') || null,
  });
  switch (row.type) {
    case 'model_failed':
      return trouble('model', text('model'));
    case 'tool_failed':
      return trouble('tool', text('tool'));
    case 'workspace_failed':
      return trouble('workspace', '');
    case 'commit_failed':
      return trouble('commit', text('branch'));
    case 'gave_up':
      return trouble('activity', text('kind'));
    case 'workflow_lost':
      return trouble('workflow', '', text('status'));
    case 'criterion_checked':
      // With a code the check itself could not run; without one it judged.
      return payload['code'] === undefined ? null : trouble('check', text('criterion'));
    default:
      return null;
  }
}
