import { closeSync, readdirSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openLog } from '../../../src/embedded/process/open-log';
import { tempFolder } from '../../support/temp-folder';

const folder = tempFolder('holdfast-log-');

function write(file: string, text: string): void {
  const log = openLog(file);
  writeSync(log, text);
  closeSync(log);
}

test('a log is appended to until it is large, and then set aside once', () => {
  const file = join(folder, 'logs', 'it.log');
  write(file, 'one\n');
  write(file, 'two\n');
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');

  for (const text of ['three\n', 'four\n']) {
    truncateSync(file, 11 * 1024 * 1024);
    write(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
  expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['it.log', 'it.log.old']);
});
