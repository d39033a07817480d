import { existsSync, readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import type { AttemptRef } from '../../src/protocol/ids';
import type { SeenRequest } from './counting-proxy';

/** Clocks of two processes on one machine, and what lies between a row's time and its commit. */
const slackMs = 50;

export interface DoneTwice {
  /** Requests to the model that came after the proposal of their step was in the ledger. */
  readonly modelRequests: number;
  /** Runs of the tool that began after the observation of their action was in the ledger. */
  readonly toolRuns: number;
  /** Of all there were. */
  readonly ofRequests: number;
  readonly ofRuns: number;
}

/** Compares what the outside saw with what the ledger had recorded by then. */
export async function doneTwice(
  pool: Pool,
  refs: readonly AttemptRef[],
  seen: readonly SeenRequest[],
  toolLog: string,
): Promise<DoneTwice> {
  const recorded = new Map<string, number>();
  for (const ref of refs) {
    for (const [table, key] of [
      ['steps', (step: number) => `${ref.id}/${step}`],
      ['observations', (step: number) => `${ref.tenant}/${ref.id}/s${step}.a0/g1`],
    ] as const) {
      const { rows } = await pool.query<{ step: number; at: string }>(
        `select step, (extract(epoch from at) * 1000)::text as at from holdfast.${table} where attempt = $1`,
        [ref.key],
      );
      for (const { step, at } of rows) recorded.set(key(step), Number(at));
    }
  }
  const late = (key: string, atMs: number) => atMs > (recorded.get(key) ?? Number.POSITIVE_INFINITY) + slackMs;
  const runs = toolRuns(toolLog);
  return {
    modelRequests: seen.filter(({ step, atMs }) => late(step, atMs)).length,
    toolRuns: runs.filter(({ key, at }) => late(key, at)).length,
    ofRequests: seen.length,
    ofRuns: runs.length,
  };
}

function toolRuns(toolLog: string): { key: string; at: number }[] {
  if (!existsSync(toolLog)) return [];
  return readFileSync(toolLog, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
