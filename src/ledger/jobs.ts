import type { PoolClient } from 'pg';
import type { JobChange, JobRow, Place } from '../activities/ledger-port';
import type { Batch } from './batch';
import { textParam } from './json';

const columns = `j.step, j.index, a.tool, j.handle, j.effect, j.mine, j.state, j.polls, j.next_poll_at as "nextPollAt", j.ends_by as "endsBy", j.output,
    j.cancel_asked as "cancelAsked"`;
const from = 'from jobs j join actions a using (attempt, step, index)';
const oneQuery = `select ${columns} ${from} where attempt = $1 and step = $2 and index = $3`;
const runningQuery = `select ${columns} ${from} where attempt = $1 and state = 'running' order by step, index`;

const unobservedQuery = `select ${columns} ${from} where attempt = $1 and step = $2 and not exists
  (select from observations o where o.attempt = j.attempt and o.step = j.step and o.index = j.index) order by index`;

export async function jobOf(client: PoolClient, attempt: number, { step, index }: Place): Promise<JobRow | undefined> {
  const { rows } = await client.query<JobRow>({ name: 'job', text: oneQuery, values: [attempt, step, index] });
  return rows[0];
}

export async function unobservedJobs(client: PoolClient, attempt: number, step: number): Promise<readonly JobRow[]> {
  const { rows } = await client.query<JobRow>({
    name: 'unobserved-jobs',
    text: unobservedQuery,
    values: [attempt, step],
  });
  return rows;
}

export async function runningJobs(client: PoolClient, attempt: number): Promise<readonly JobRow[]> {
  const { rows } = await client.query<JobRow>({ name: 'running-jobs', text: runningQuery, values: [attempt] });
  return rows;
}

/** Whether somebody who sent for this action was given the token of this hash. */
export async function isJobToken(
  client: PoolClient,
  attempt: number,
  { step, index }: Place,
  hash: string,
): Promise<boolean> {
  const { rows } = await client.query(
    'select from job_tokens where attempt = $1 and step = $2 and index = $3 and hash = $4',
    [attempt, step, index, hash],
  );
  return rows.length > 0;
}

const changeColumns: Record<keyof JobChange, string> = {
  state: 'state',
  polls: 'polls',
  nextPollAt: 'next_poll_at',
  output: 'output',
  cancelAsked: 'cancel_asked',
};

export function changeJob(batch: Batch, attempt: number, { step, index }: Place, change: JobChange): void {
  const values: unknown[] = [attempt, step, index];
  const sets = Object.entries(change).map(
    ([field, value]) =>
      `${changeColumns[field as keyof JobChange]} = $${values.push(typeof value === 'string' ? textParam(value) : value)}`,
  );
  batch.add(`update jobs set ${sets.join(', ')} where attempt = $1 and step = $2 and index = $3`, values);
}
