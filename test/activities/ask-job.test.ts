import type { JobRow } from '../../src/activities/job-rows';
import { askJob, endJob } from '../../src/activities/jobs/ask-job';
import type { ArtifactPort, JobWork, WriteTool } from '../../src/activities/ports';
import { never } from '../support/activity-world';
import { tool } from '../support/test-tools';

const row: JobRow = {
  step: 1,
  index: 0,
  tool: 'convert',
  handle: 'j-1',
  effect: 'default/convert/1/g1',
  mine: true,
  state: 'running',
  polls: 0,
  nextPollAt: 0,
  endsBy: 9_000,
  output: null,
  cancelAsked: false,
};
const deps = { artifacts: {} as ArtifactPort };
const submitting = (job: JobWork) =>
  tool({
    name: 'convert',
    effect: 'deduplicated',
    timeoutMs: 100,
    run: () => ({ ok: true, output: '' }),
    write: { job },
  }) as WriteTool;
const hanging = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );

test('R15.2 a poll that throws, or is not answered in time, has found out nothing', async () => {
  const broken = submitting({ maxMs: 1, poll: () => Promise.reject(new Error('HTTP 500')) });
  expect(await askJob(deps, 'default', broken, row, false, never)).toEqual({ kind: 'running' });
  const silent = submitting({ maxMs: 1, poll: (_handle, { signal }) => hanging(signal) });
  expect(await askJob(deps, 'default', silent, row, false, never)).toEqual({ kind: 'running' });
});

test('R15.2 a job that takes too long is asked to end, and believed where it says how it went', async () => {
  const asked: string[] = [];
  const work = (answer: 'running' | 'failed'): JobWork => ({
    maxMs: 1,
    cancel: async (handle) => void asked.push(handle),
    poll: async () => (answer === 'running' ? { kind: answer } : { kind: answer, output: 'stopped' }),
  });
  expect(await askJob(deps, 'default', submitting(work('running')), row, true, never)).toEqual({ kind: 'unknown' });
  expect(await askJob(deps, 'default', submitting(work('failed')), row, true, never)).toMatchObject({ kind: 'failed' });
  expect(asked).toEqual(['j-1', 'j-1']);
});

test('R15.2 a job that said by itself that it has ended is asked for its result only where it gave none', async () => {
  const polled = submitting({ maxMs: 1, poll: async () => ({ kind: 'succeeded', output: 'polled' }) });
  const ended = { ...row, state: 'succeeded' as const };
  expect(await askJob(deps, 'default', polled, { ...ended, output: 'told' }, false, never)).toMatchObject({
    output: 'told',
  });
  expect(await askJob(deps, 'default', polled, ended, false, never)).toMatchObject({ output: 'polled' });
  expect(await askJob(deps, 'default', submitting({ maxMs: 1 }), ended, false, never)).toEqual({
    kind: 'succeeded',
    output: '',
  });
});

test('R11.1 a cancel is asked until it was heard once; without a poll the job has then ended', async () => {
  const deaf = submitting({ maxMs: 1, cancel: () => Promise.reject(new Error('HTTP 500')) });
  expect(await endJob(deps, 'default', deaf, row, never)).toEqual({ asked: false, ended: undefined });
  const plain = submitting({ maxMs: 1, cancel: async () => {} });
  expect(await endJob(deps, 'default', plain, row, never)).toEqual({ asked: true, ended: 'cancelled' });
  const polled = submitting({
    maxMs: 1,
    cancel: async () => {},
    poll: async () => ({ kind: 'succeeded', output: 'late' }),
  });
  expect(await endJob(deps, 'default', polled, row, never)).toEqual({ asked: true, ended: 'succeeded' });
  expect(await endJob(deps, 'default', submitting({ maxMs: 1 }), row, never)).toEqual({
    asked: false,
    ended: undefined,
  });
});
