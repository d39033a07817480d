import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempFolder } from '../support/temp-folder';
import { callScript } from './support/call-script';

const root = resolve(__dirname, '../..');

test('docs/timeouts.md lists every timeout and limit of the code as it is, each with its reason', () => {
  const run = spawnSync(process.execPath, [join(root, 'scripts/limits.mjs'), '--check'], { encoding: 'utf8' });

  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
});

describe('limits are read from the code', () => {
  let folder: string;
  beforeEach(() => {
    folder = tempFolder('holdfast-limits-');
  });

  const read = (source: string) => {
    writeFileSync(join(folder, 'a.ts'), source);
    return callScript('read-limits.mjs', 'readLimits', folder);
  };

  test('with values that are computed, and a comment that speaks for the line under it alone', () => {
    const source = `
      const secondMs = 1_000;

      /** Why this one. */
      export const waitMs = 3 * secondMs;
      const waitMaxMs = 2 * waitMs;

      const loneBytes = 16 * 1024;
      const name = 'textMs';`;

    expect(read(source)).toEqual([
      { file: 'a.ts', name: 'waitMs', value: 3000, why: 'Why this one.' },
      { file: 'a.ts', name: 'waitMaxMs', value: 6000, why: '' },
      { file: 'a.ts', name: 'loneBytes', value: 16384, why: '' },
    ]);
  });

  test('and a comment over several lines becomes one', () => {
    expect(read('/**\n * Long\n * enough.\n */\nconst maxRounds = 4;')).toEqual([
      { file: 'a.ts', name: 'maxRounds', value: 4, why: 'Long enough.' },
    ]);
  });
});

test.each([
  ['waitMs', 250, '250 ms'],
  ['waitMaxMs', 90_000, '90 s'],
  ['waitMs', 600_000, '10 min'],
  ['waitMs', 7_200_000, '2 h'],
  ['keptBytesMax', 16 * 1024, '16 KiB'],
  ['oddBytes', 1_500, '1,500 bytes'],
  ['shownMaxChars', 500, '500 characters'],
  ['stepsMax', 40, '40'],
])('%s of %i is written as %s', (name, value, text) => {
  expect(callScript('limits-table.mjs', 'withUnit', name, value)).toBe(text);
});
