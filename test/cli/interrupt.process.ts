import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { secondInterruptMs } from '../../src/cli/interrupt';
import { finished, until } from './support/command-line';

const program = join(__dirname, 'support/interrupted.cjs');
const runModule = pathToFileURL(join(__dirname, '../../scripts/lib/run.mjs'));
/** Longer than any test waits. */
const neverMs = 600_000;

/** As `npm run holdfast` starts a command: through run.mjs, in one process group, which is what a terminal signals. */
function inTerminal(stopMs: number) {
  const script = `import { run } from ${JSON.stringify(runModule.href)};
    const { code } = await run(process.execPath, [${JSON.stringify(program)}, '${stopMs}']); process.exit(code);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ctrlC = () => process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
  return { child, ctrlC, output: until(child), ended: finished(child) };
}

test('R11.3 one Ctrl-C is one, although the terminal and the script each pass it on: the command stops in order', async () => {
  const { ctrlC, output, ended } = inTerminal(1_500);
  await output('ready');
  ctrlC();
  expect(await ended).toMatchObject({ code: 0, stdout: 'ready\nasked by SIGINT\nstopped\n' });
});

test('a second Ctrl-C ends a command that takes too long', async () => {
  const { ctrlC, output, ended } = inTerminal(neverMs);
  await output('ready');
  ctrlC();
  await output('asked');
  await sleep(2 * secondInterruptMs);
  ctrlC();
  expect(await ended).toMatchObject({ code: 130, stdout: 'ready\nasked by SIGINT\n' });
});

test('a signal that only the script gets reaches the command', async () => {
  const { child, output, ended } = inTerminal(0);
  await output('ready');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stdout: 'ready\nasked by SIGTERM\nstopped\n' });
});
