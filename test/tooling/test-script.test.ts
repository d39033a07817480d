import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const script = resolve(__dirname, '../../scripts/test.mjs');
const npmTest = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

test('passing tests end with the counts alone on the last line, and exit code 0', () => {
  const run = npmTest('--only', 'unit', 'test/tooling/test-counts');

  expect(lastLine(run.stdout)).toMatch(/^[1-9]\d* passed, 0 failed$/);
  expect(run.status).toBe(0);
});

test('a run without a single test is no success', () => {
  const run = npmTest('--only', 'unit', 'no/such/folder');

  expect(lastLine(run.stdout)).toBe('0 passed, 0 failed');
  expect(run.status).toBe(1);
});

test('an unknown project is a usage error', () => {
  expect(npmTest('--only', 'everything')).toMatchObject({
    status: 2,
    stderr: '--only takes one of unit, server, process, browser\n',
  });
});

test('--help shows an example', () => {
  expect(npmTest('--help').stdout).toContain('npm test -- test/domain');
});
