import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { workerTrouble } from '../src/cli/worker-trouble';

const root = join(__dirname, '..');

/** What a process whose standard error is a pipe logs. */
function logged(statement: string): string {
  const script = `const { createLogger } = require('./src/logger.ts'); const logger = createLogger('info', 'worker'); ${statement}`;
  const register = join(root, 'test/support/register-swc.cjs');
  return spawnSync(process.execPath, ['-r', register, '-e', script], { cwd: root, encoding: 'utf8' }).stderr;
}

test('R10.4 an error is logged with its type, message and stack, and a secret beside it is not', () => {
  const line = logged(`
    const error = Object.assign(new TypeError('no table', { cause: new Error('no disk') }), { token: 'hunter2' });
    logger.warn({ error, activityType: 'think', workflowId: 'attempt/default/repair/1' }, 'Activity failed')`);
  expect(JSON.parse(line).error).toMatchObject({
    type: 'TypeError',
    message: expect.stringContaining('no table'),
    stack: expect.stringContaining('no disk'),
  });
  expect(line).not.toContain('hunter2');
  expect(workerTrouble(line)).toBe('think of default/repair/1: Activity failed: no table: no disk');
});

test('what is logged in words stays as it is', () => {
  expect(JSON.parse(logged(`logger.error({ error: 'in words' }, 'x')`)).error).toBe('in words');
});
