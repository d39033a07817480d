#!/usr/bin/env node
// A service that does work which takes longer than a request: it answers at once with a job's id, keeps its jobs in a file, and
// can be asked how each goes. One key is one job, however often it is submitted.
//   node runner.mjs [--port 4020] [--data .runner] [--until-stdin-ends]
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4020' },
    data: { type: 'string', default: '.runner' },
    'until-stdin-ends': { type: 'boolean', default: false },
  },
});
mkdirSync(values.data, { recursive: true });
const journal = join(values.data, 'jobs.jsonl');

/** By id: what was asked for, when it is done, and whether it was stopped before. The journal is the truth. */
const jobs = new Map();
const apply = (line) => {
  if (line.event === 'submitted') jobs.set(line.id, { ...line, stoppedAt: undefined });
  else if (line.event === 'stopped') jobs.get(line.id).stoppedAt = line.at;
};
const record = (line) => {
  appendFileSync(journal, `${JSON.stringify(line)}\n`);
  apply(line);
};
if (existsSync(journal))
  for (const line of readFileSync(journal, 'utf8').trimEnd().split('\n')) apply(JSON.parse(line));

const stateOf = ({ kind, doneAt, stoppedAt }, now) => {
  if (stoppedAt !== undefined) return 'stopped';
  if (kind === 'endless' || now < doneAt) return 'running';
  return kind === 'failing' ? 'failed' : 'done';
};
const shown = (job) => {
  const state = stateOf(job, Date.now());
  const result = { done: `${job.kind}: ${job.ms} ms of work are done`, failed: 'the input could not be read' }[state];
  return { id: job.id, kind: job.kind, state, ...(result && { result }) };
};

/** Longest body that is read, in characters: a job is a few words. */
const bodyMax = 10_000;
async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > bodyMax) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function answer(request) {
  const [, collection, id] = new URL(request.url, 'http://runner').pathname.split('/');
  if (collection === 'log' && request.method === 'GET') return [200, [...jobs.values()].map(shown)];
  if (collection !== 'jobs') return [404, { error: 'There is /jobs, /jobs/ID and /log.' }];
  if (id === undefined) {
    const key = request.headers['idempotency-key'];
    const body = await bodyOf(request);
    if (request.method !== 'POST' || typeof key !== 'string' || typeof body?.kind !== 'string' || !(body.ms >= 0))
      return [400, { error: 'POST /jobs takes an Idempotency-Key, and {"kind": "…", "ms": 1000}.' }];
    const known = createHash('sha256').update(key).digest('hex').slice(0, 12);
    if (!jobs.has(known)) {
      const { kind, ms } = body;
      record({ event: 'submitted', id: known, key, kind, ms, doneAt: Date.now() + ms });
    }
    return [202, shown(jobs.get(known))];
  }
  const job = jobs.get(id);
  if (!job) return [404, { error: `There is no job ${id}.` }];
  if (request.method === 'DELETE' && stateOf(job, Date.now()) === 'running')
    record({ event: 'stopped', id, at: Date.now() });
  return [200, shown(job)];
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`The job runner listens on http://127.0.0.1:${server.address().port}`);
});
if (values['until-stdin-ends']) process.stdin.on('end', () => process.exit(0)).resume();
