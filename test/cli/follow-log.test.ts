import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followLog } from '../../src/cli/follow-log';
import { workerTrouble } from '../../src/cli/worker-trouble';
import { tempFolder } from '../support/temp-folder';

test('each line that is appended is handed over once and whole, also after the log was set aside', async () => {
  const file = join(tempFolder('holdfast-log-'), 'worker.log');
  writeFileSync(file, 'before\n');
  const stop = new AbortController();
  const lines: string[] = [];
  let wake = () => {};
  const until = async (count: number) => {
    while (lines.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  const following = followLog(file, stop.signal, (line) => {
    lines.push(line);
    wake();
  });

  appendFileSync(file, 'one\ntw');
  await until(1);
  appendFileSync(file, 'o\n');
  await until(2);
  rmSync(file);
  writeFileSync(file, 'x\n');
  await until(3);
  stop.abort();
  await following;
  expect(lines).toEqual(['one', 'two', 'x']);
});

test.each([
  ['plain text', 'Error: something'],
  ['a line below warn', '{"level":30,"msg":"polling"}'],
  ['another document', '{"a":1}'],
])('%s is no trouble', (_what, line) => {
  expect(workerTrouble(line)).toBeUndefined();
});
