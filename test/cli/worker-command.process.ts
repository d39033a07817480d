import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { tempFolder } from '../support/temp-folder';
import { commandLine } from './support/command-line';

const folder = tempFolder('holdfast-worker-');
let world: AttemptWorld;
let worker: ReturnType<ReturnType<typeof commandLine>['start']> | undefined;
beforeAll(async () => {
  world = await attemptWorld({ transcript: { steps: { 1: { text: 'Hello yourself.' } } } });
  const model = {
    provider: 'openai-compatible',
    model: 'scripted',
    baseUrl: world.model.url,
    headers: { 'X-Step': '{attempt}/{step}' },
  };
  writeFileSync(join(folder, 'holdfast.yaml'), stringify({ models: { default: model } }));
  writeFileSync(
    join(folder, 'hello.yaml'),
    stringify({ task: 'hello', kind: 'dialog', goal: 'Talk.', input: 'Hello?' }),
  );
});
afterAll(async () => {
  worker?.child.kill('SIGKILL'); // where the test did not come to its end
  await world.close();
});

test('a worker of its own works with the servers that the environment names, and stops in order', async () => {
  const { databaseUrl, temporalAddress, namespace } = world.ways;
  const servers = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace };
  const { run, start } = commandLine(folder, servers);
  worker = start('worker');
  await worker.output('The worker is ready.');
  expect(await run('start', 'hello.yaml', '--wait')).toMatchObject({ code: 0 });
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 0 });
});

test('without servers it says which variable is missing, and what starts some', async () => {
  const { run } = commandLine(folder, { TEMPORAL_ADDRESS: '127.0.0.1:1' });
  const { code, stderr } = await run('worker');
  expect(code).toBe(2);
  expect(stderr).toContain('DATABASE_URL is not set');
  expect(stderr).toContain('holdfast up');
});
