import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTranscript } from '../../src/models/scripted/parse-transcript';
import { readTaskFile } from '../../src/requests/task/task-file';
import { createRegistry } from '../../src/tools/registry';
import { tempFolder } from '../support/temp-folder';

const example = join(__dirname, '../../examples/repair');
const transcriptFile = join(example, 'transcript.yaml');
const transcript = parseTranscript(transcriptFile, readFileSync(transcriptFile, 'utf8'));

const patches = Object.values(transcript.attempts?.['repair'] ?? {})
  .flatMap(({ calls = [] }) => calls)
  .flatMap(({ tool, args }) => (tool === 'apply_patch' ? [String(args?.['patch'])] : []));

/** Titles of the tests that fail. */
function failing(folder: string): string[] {
  const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: folder,
    encoding: 'utf8',
    // Node's own test runner behaves otherwise inside another one.
    env: { PATH: process.env['PATH'] },
  });
  return [...stdout.matchAll(/^ *not ok \d+ - (.*)$/gm)]
    .map(([, title]) => title ?? '')
    .filter((title) => !title.includes('.test.js'));
}

test('R3.3 the example has a bug that its own tests catch; the first repair is half of one, the second is whole', () => {
  const folder = tempFolder('holdfast-example-');
  cpSync(join(example, 'repo'), folder, { recursive: true });
  const rounded = 'a discount is whole cents, rounded half up';
  const fromSum = 'a discount is taken from the sum, not from each line';

  const found = [failing(folder)];
  for (const patch of patches) {
    execFileSync('git', ['apply'], { cwd: folder, input: patch });
    found.push(failing(folder));
  }
  expect(found).toEqual([[rounded, fromSum], [fromSum], []]);
});

test('the example task fits this version, and its transcript names only tools that it has', () => {
  const { contract, task } = readTaskFile(join(example, 'task.yaml'), {
    tools: createRegistry().names(),
    reads: [],
    models: ['default'],
  });
  const called = Object.values(transcript.attempts?.[task] ?? {}).flatMap(({ calls = [] }) =>
    calls.map(({ tool }) => tool),
  );
  const offered = [...contract.tools, 'finish', 'update_plan'];
  expect(called.filter((tool) => !offered.includes(tool))).toEqual([]);
});
