import type { Pool } from 'pg';
import { eventSchemaVersion, type Visibility } from '../../protocol/events';
import { type AttemptRef, eventId, workflowId } from '../../protocol/ids';
import { upcastEvent } from '../../protocol/upcast-event';
import type { WireEvent } from '../../protocol/wire-event';

interface EventRow {
  sequence: number;
  move: number;
  k: number;
  version: number;
  type: string;
  turn: number;
  step: number;
  visibility: Visibility;
  payload: object;
  at: Date;
  thread: number;
}

const pageQuery = `select e.sequence, e.move, e.k, e.version, e.type, e.turn, e.step, e.visibility, e.payload, e.at, a.thread
  from events e join attempts a on a.key = e.attempt
  where e.attempt = $1 and e.sequence > $2 order by e.sequence limit $3`;

/** Events after `cursor` (a sequence; 0 for all), oldest first, at most `limit` (R10.2). Rejects where the database cannot be reached, and with NewerEventError. */
export async function eventPage(
  pool: Pool,
  ref: AttemptRef,
  cursor: number,
  limit: number,
): Promise<readonly WireEvent[]> {
  const { rows } = await pool.query<EventRow>({
    name: 'event-page',
    text: pageQuery,
    values: [ref.key, cursor, limit],
  });
  return rows.map((row) => wireEvent(ref, row));
}

function wireEvent(ref: AttemptRef, row: EventRow): WireEvent {
  const { type, payload } = upcastEvent(row);
  return {
    event_id: eventId(ref.id, row.move, row.k),
    thread_id: `${ref.tenant}/${row.thread}`,
    attempt_id: ref.id,
    turn_id: `${ref.id}/t${row.turn}`,
    step_id: row.step === 0 ? null : `${ref.id}/s${row.step}`,
    sequence: row.sequence,
    event_type: type,
    timestamp: row.at.toISOString(),
    payload,
    causation_id: row.move === 0 ? null : `${ref.id}/m${row.move}`,
    correlation_id: workflowId(ref.tenant, ref.id),
    schema_version: eventSchemaVersion,
    visibility_class: row.visibility,
    durability: 'persisted',
  };
}
