import type { EventContent, eventSchemaVersion, Visibility } from './events';

/** A persisted event as readers outside get it (R10.1). `sequence` is the cursor: gap-free from 1 in each attempt. */
export interface WireEvent {
  readonly event_id: string;
  readonly thread_id: string;
  readonly attempt_id: string;
  readonly turn_id: string;
  /** Null before the first step. */
  readonly step_id: string | null;
  readonly sequence: number;
  readonly event_type: EventContent['type'];
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly payload: EventContent['payload'];
  /** The call whose transaction wrote it; null for what a start wrote. */
  readonly causation_id: string | null;
  /** The workflow, under which logs and traces know the same work. */
  readonly correlation_id: string;
  readonly schema_version: typeof eventSchemaVersion;
  readonly visibility_class: Visibility;
  readonly durability: 'persisted';
}

/** The event without its place. */
export function contentOf(event: WireEvent): EventContent {
  // Type and payload come from one row, which one EventContent was written to.
  return { type: event.event_type, payload: event.payload } as EventContent;
}

/** Number of the step that an event belongs to; 0 before the first. */
export function stepOf(event: WireEvent): number {
  return event.step_id === null ? 0 : Number(event.step_id.slice(event.step_id.lastIndexOf('/s') + 2));
}
