import type { Pool } from 'pg';
import { put } from '../lib/put-tool';

/** What the two activities of a bare loop do. */
export interface BareCall {
  readonly loop: string;
  readonly step: number;
  /** `empty`: nothing at all; `fetch`: one plain request to the scripted model. */
  readonly model: 'empty' | 'fetch';
  /** Inserts, each its own commit. */
  readonly commits: number;
}

/** About what a move writes: rows of some 600 bytes with one index. */
const rowText = 'x'.repeat(550);

export const bareTableSql = `
  create schema if not exists bare;
  create table if not exists bare.rows (
    loop text, step integer, part integer, body jsonb not null, at timestamptz not null default clock_timestamp(),
    primary key (loop, step, part));`;

/** The activities of the bare loops: the least that a step with a model call and a tool call can be. */
export function createBareActivities(pool: Pool, modelUrl: string) {
  const stamps = new Map<string, number[]>();
  const insert = (loop: string, step: number, part: number) =>
    pool.query({
      name: 'bare-insert',
      text: 'insert into bare.rows (loop, step, part, body) values ($1, $2, $3, $4)',
      values: [loop, step, part, JSON.stringify({ text: rowText })],
    });
  return {
    async bareModel({ loop, step, model, commits }: BareCall): Promise<string> {
      for (let part = 0; part < commits; part += 1) await insert(loop, step, part);
      return model === 'fetch' ? await ask(modelUrl, loop, step) : `answer ${step}`;
    },
    async bareTool({ loop, step, commits }: BareCall): Promise<string> {
      for (let part = 0; part < commits; part += 1) await insert(loop, step, commits + part);
      const said = put(`item-${step}`, `what step ${step} of ${loop} has to say`);
      const known = stamps.get(loop) ?? [];
      stamps.set(loop, [...known, performance.timeOrigin + performance.now()]);
      return said;
    },
    /** When each step's tool call was done, ms since the epoch. */
    async bareStamps({ loop }: { loop: string }): Promise<number[]> {
      return stamps.get(loop) ?? [];
    },
  };
}
export type BareActivities = ReturnType<typeof createBareActivities>;

async function ask(modelUrl: string, loop: string, step: number): Promise<string> {
  const response = await fetch(`${modelUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-step': `${loop}/1/${step}` },
    body: JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: 'Please go on.' }] }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${text}`);
  return `${text.length} bytes`;
}
