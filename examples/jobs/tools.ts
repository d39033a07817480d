import { defineTool, type JobAnswer, Rejected } from 'holdfast';

const runner = process.env['JOB_RUNNER_URL'] ?? 'http://127.0.0.1:4020';

interface RunnerJob {
  readonly id: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly result?: string;
}

/** A job takes an hour at most; the runner is asked how it goes, and to stop it where the attempt is cancelled. */
export const runReport = defineTool({
  name: 'run_report',
  description: 'Makes a report in the background, which takes `ms` milliseconds, and answers once it is there.',
  schema: {
    type: 'object',
    properties: {
      kind: { type: 'string', description: 'Which report: "sales", "stock".' },
      ms: { type: 'integer', minimum: 0, maximum: 3_600_000 },
    },
    required: ['kind', 'ms'],
    additionalProperties: false,
  },
  effect: 'deduplicated', // one key is one job
  quick: false,
  timeoutMs: 10_000,
  target: ({ kind }) => `report:${kind}`,
  job: {
    maxMs: 3_600_000,
    poll: async (handle, { signal }): Promise<JobAnswer> => {
      const job = await ask(`/jobs/${handle}`, { signal });
      if (job.state === 'running') return { kind: 'running' };
      return { kind: job.state === 'done' ? 'succeeded' : 'failed', output: job.result ?? job.state };
    },
    cancel: async (handle, { signal }) => {
      await ask(`/jobs/${handle}`, { method: 'DELETE', signal });
    },
  },
  send: async (key, { kind, ms }, { signal }) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const job = await ask('/jobs', { method: 'POST', signal, headers, body: JSON.stringify({ kind, ms }) });
    return { kind: 'pending', handle: job.id };
  },
});

async function ask(path: string, init: RequestInit): Promise<RunnerJob> {
  const response = await fetch(new URL(path, runner), init);
  const body = (await response.json()) as RunnerJob & { readonly error?: string };
  if (response.status === 400) throw new Rejected('BAD_JOB', body.error ?? 'The runner does not take this job.');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return body;
}
