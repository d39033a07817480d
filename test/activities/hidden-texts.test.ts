import { checkCriterion } from '../../src/activities/checks/check-criterion';
import type { CheckScene } from '../../src/activities/checks/verifier';
import type { JobRow } from '../../src/activities/job-rows';
import { askJob } from '../../src/activities/jobs/ask-job';
import { awaitJob } from '../../src/activities/jobs/await-job';
import type { ToolDefinition, ToolPort, WriteTool } from '../../src/activities/ports';
import { secretHider } from '../../src/domain/secrets/hide-secrets';
import { withoutSecrets } from '../../src/tools/without-secrets';

// Known by its shape alone; put together here, so that this file does not look like one that holds a key.
const key = `AKIA${'Q2W3E4R5T6Y7U2I3'}`;
const known = 'a-password-of-the-configuration';
const hide = secretHider([known]);
const never = new AbortController().signal;

test('R10.4 what a check prints is kept, shown and stored without secrets, also where it is too long for the evidence', async () => {
  const stored: string[] = [];
  const scene = {
    deps: {
      hide,
      artifacts: { put: async (_tenant: string, body: Buffer) => stored.push(String(body)) && 'x' },
      workspaces: {
        execClean: async () => ({
          end: 'exited',
          exitCode: 1,
          durationMs: 1,
          output: `${known} ${key} ${'.'.repeat(20_000)}`,
        }),
      },
    },
    attempt: { ref: { tenant: 't', id: 'a/1', key: 1 }, snapshot: 's' },
    signal: never,
  } as unknown as CheckScene;
  const checked = await checkCriterion(scene, { id: 'tests', check: 'command', run: 'npm test' } as never);
  const text = JSON.stringify([checked, stored]);
  expect(stored).toHaveLength(1);
  expect(text).toContain('(secret)');
  expect(text).not.toContain(key);
  expect(text).not.toContain(known);
});

test('R10.4 what a job says by its own word is shown without secrets', async () => {
  const job = { state: 'succeeded', output: `done, by ${known}`, handle: 'h', mine: true } as unknown as JobRow;
  const found = await askJob({ artifacts: {} as never, hide }, 't', undefined, job, false, never);
  expect(JSON.stringify(found)).toContain('done, by (secret)');
});

test('R10.4 a handle is shown without the key that is in it, and stays whole for whoever polls', async () => {
  const handle = `https://runner.example/j/1?key=${key}`;
  const asked: string[] = [];
  const tool = {
    name: 'run_job',
    effect: 'deduplicated',
    job: {
      maxMs: 1,
      poll: async (of: string) => {
        asked.push(of);
        return { kind: 'running' as const };
      },
    },
    send: async () => ({ kind: 'pending' as const, handle }),
  } as unknown as ToolDefinition;
  const port: ToolPort = { get: () => tool, names: () => ['run_job'], offered: () => [tool] };
  const clean = withoutSecrets(port, hide).get('run_job') as WriteTool;
  expect(clean.job?.shownAs?.(handle)).toBe('https://runner.example/j/1?key=(secret)');
  const emitted: unknown[] = [];
  const tx = {
    insert: (_table: string, row: unknown) => emitted.push(row),
    emit: (event: unknown) => emitted.push(event),
  };
  const call = { ref: { tenant: 't', id: 'a/1', key: 1 }, args: { step: 1, index: 0 }, now: 0 };
  awaitJob(tx as never, call as never, clean, { key: 'k', generation: 1, downstreamId: handle });
  const [row, event] = emitted as [{ handle: string }, { payload: { handle: string } }];
  expect(row.handle).toBe(handle);
  expect(event.payload.handle).not.toContain(key);
  await clean.job?.poll?.(row.handle, {} as never);
  expect(asked).toEqual([handle]);
});
