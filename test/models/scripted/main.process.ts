import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { tempFolder } from '../../support/temp-folder';

const program = join(__dirname, '../../../dist/models/scripted/main.js');
let folder: string;
beforeAll(() => {
  folder = tempFolder('holdfast-scripted-');
});

function run(...args: string[]) {
  return spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

test('the scripted model runs as a process, answers, and ends on SIGTERM', async () => {
  const path = join(folder, 'good.yaml');
  writeFileSync(path, 'steps: { 1: { text: hello } }\n');
  const child = run(path);
  const [line] = await once(child.stdout, 'data');
  const url = /http:\S+/.exec(String(line))?.[0];

  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'x-step': 'a/1/1' },
    body: '{}',
  });
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'hello' } }] });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a wrong transcript ends it with the place, and a wrong call with its usage', async () => {
  const path = join(folder, 'bad.yaml');
  writeFileSync(path, 'steps:\n  1: { txt: hello }\n');
  const child = run(path);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ said, code }).toEqual({ said: expect.stringMatching(/bad\.yaml:2:\d+: steps\.1: .*"txt"/), code: 2 });

  const usage = run();
  expect(await once(usage, 'exit')).toEqual([2, null]);
});
