import type { LoopKind } from '../../domain/progress/ladder';
import type { EventContent } from '../../protocol/events';

/** What stood in an attempt's way last: the newest of the events that tell of progress or trouble, where it is trouble. */
export interface Trouble {
  readonly kind: 'model' | 'tool' | 'workspace' | 'commit' | 'check' | 'activity' | 'workflow' | 'loop';
  /** What it was about: the model, the tool, the branch, the criterion, the call. */
  readonly what: string;
  readonly code: string;
  readonly detail: string | null;
  /** The block of a loop (R7.3): which call, how often before, and in what unchanged world. */
  readonly loop?: LoopBlock;
}
export interface LoopBlock {
  /** Place of the call in its attempt: `s5.a0`. */
  readonly action: string;
  readonly args: string | null;
  readonly repeats: number;
  readonly intervention: string;
  readonly kind?: LoopKind;
  /** Of the workspace. */
  readonly snapshot?: string;
}

export interface TroubleRow {
  readonly type: string;
  readonly step?: number;
  /** Of the call, for a loop. */
  readonly args?: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The newest event of attempt `a` that `troubleOf` reads, as JSON; null where there is none. */
export const troubleColumn = `(select json_build_object('type', type, 'step', step, 'payload', payload, 'args',
      case when type = 'loop_warning' then (select c.args ->> 'text' from actions c
        where c.attempt = a.key and c.step = e.step and c.index = (e.payload ->> 'index')::int) end) from events e where attempt = a.key
    and (type = 'loop_warning' and payload ->> 'intervention' = 'end' or payload ->> 'code' is distinct from 'LOOP_DETECTED' and type in ('model_failed', 'tool_failed', 'workspace_failed', 'commit_failed', 'gave_up', 'workflow_lost', 'criterion_checked',
                 'model_answered', 'action_finished', 'workspace_ready', 'committed', 'message_taken'))
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
    case 'loop_warning':
      return { ...trouble('loop', text('tool'), 'LOOP_DETECTED'), loop: blockOf(row) };
    default:
      return null;
  }
}

function blockOf({ step = 0, args = null, payload }: TroubleRow): LoopBlock {
  const { index, repeats, intervention, kind, snapshot } = payload as Extract<
    EventContent,
    { type: 'loop_warning' }
  >['payload'];
  const world = { ...(kind && { kind }), ...(snapshot !== undefined && { snapshot }) };
  return { action: `s${step}.a${index}`, args, repeats, intervention, ...world };
}
