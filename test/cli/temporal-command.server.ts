import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { temporalCommand } from '../../src/cli/temporal-command';
import { testStack } from '../support/stack';

test('R5.3 the line that `up` prints reaches the server that it started, by Temporal’s own command line', async () => {
  const { temporalAddress } = await testStack();
  const line = await temporalCommand({ embedded: {} }, { temporalAddress, namespace: 'default' });
  expect(line).toMatch(/temporal\S* --address 127\.0\.0\.1:\d+ --namespace default$/);

  const [program = '', ...options] = line?.split(' ') ?? [];
  const { stdout } = await promisify(execFile)(program, [...options, 'operator', 'cluster', 'health']);
  expect(stdout).toContain('SERVING');
});

test('where the environment names a service, its own settings say how it is reached', async () => {
  const service = { address: 'temporal.example:7233', namespace: 'shop', connection: {} };
  const here = { temporalAddress: service.address, namespace: service.namespace };
  expect(await temporalCommand({ embedded: {}, temporal: service }, here)).toBeUndefined();
});
