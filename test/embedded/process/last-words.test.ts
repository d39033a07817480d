import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastWords } from '../../../src/embedded/process/last-words';
import { tempFolder } from '../../support/temp-folder';

function wordsOf(text: string): string {
  const file = join(tempFolder('holdfast-words-'), 'log');
  writeFileSync(file, text);
  return lastWords(file, 'worker: ');
}

test('the reason that a process gave for a person is whole, whatever stood before it', () => {
  const reason = ['worker: these are wrong:', ...Array.from({ length: 20 }, (_, index) => `  problem ${index}`)].join(
    '\n',
  );
  expect(wordsOf(`worker: an old reason\n{"level":30}\n${reason}\n`)).toBe(reason);
});

test('the reason of an earlier life is not that of this one', () => {
  expect(wordsOf('worker: an old reason\n{"level":30,"msg":"polling"}\nSegmentation fault\n')).toContain(
    'Segmentation fault',
  );
});

test('without a reason the end of the log is what there is, and without a log nothing', () => {
  expect(wordsOf('no configuration\n')).toBe('no configuration');
  expect(lastWords('/no/such/log', 'worker: ')).toBe('');
});
