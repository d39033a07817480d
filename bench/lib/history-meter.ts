import type { Client } from '@temporalio/client';
import type { AttemptRef } from '../../src/protocol/ids';
import { workflowId } from '../../src/protocol/ids';
import { attemptHistories } from '../../src/temporal/histories';

export interface HistoryCost {
  /** Runs of the workflow: one more than it continued as new. */
  readonly runs: number;
  readonly events: number;
  /** As the server counts them for its limit; of each run, oldest first, and of all. */
  readonly runBytes: readonly number[];
  readonly bytes: number;
  /** Markers of local activities. */
  readonly markers: number;
  /** The largest payload of any event. */
  readonly payloadBytesMax: number;
}

/** What an attempt has put into Temporal, over all its runs. */
export async function historyCost(client: Client, ref: AttemptRef): Promise<HistoryCost> {
  const runs = await attemptHistories(client, ref);
  const runBytes: number[] = [];
  for (const { runId } of runs) {
    const described = await client.workflow.getHandle(workflowId(ref.tenant, ref.id), runId).describe();
    runBytes.unshift(described.historySize ?? Number.NaN); // runs come newest first
  }
  const events = runs.flatMap(({ history }) => history.events ?? []);
  return {
    runs: runs.length,
    events: events.length,
    runBytes,
    bytes: runBytes.reduce((sum, bytes) => sum + bytes, 0),
    markers: events.filter((event) => event.markerRecordedEventAttributes != null).length,
    payloadBytesMax: Math.max(0, ...events.map(largestPayload)),
  };
}

/** Payloads stand at many places of an event, and are what carries bytes. */
function largestPayload(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(largestPayload));
}
