import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/temp-folder';
import { callScript } from './support/call-script';

let folder: string;
beforeEach(() => {
  folder = tempFolder('holdfast-titles-');
});

const titles = (file: string, source: string) => {
  mkdirSync(join(folder, 'test'), { recursive: true });
  writeFileSync(join(folder, 'test', file), source);
  return callScript('test-titles.mjs', 'readTestTitles', join(folder, 'test'));
};
const judge = (requirements: unknown, tests: unknown) =>
  callScript('requirements-report.mjs', 'judge', requirements, tests);

test('titles of tests, tables of tests and groups are found, in any of the three kinds of file', () => {
  const source = `
    describe('M4 inbox', () => { test('in order', () => {}); });
    test.each([1, 2])('R1.1 case %i', () => {});
    test.each\`a | b\`('R1.2 table', () => {});
    for (const rule of rules) test(\`R2.2 \${rule}\`, () => {});`;

  expect(titles('a.process.ts', source)).toEqual(
    ['M4 inbox', 'in order', 'R1.1 case %i', 'R1.2 table', 'R2.2 …'].map((title) => ({
      file: 'test/a.process.ts',
      title,
    })),
  );
});

test('a skipped test holds nothing, and neither does what a skipped group has in it', () => {
  const source = `
    test.skip('R1.1 later', () => {});
    test.todo('R1.2 later');
    describe.skip('R1.3', () => { test('R1.4 inside', () => {}); });`;

  expect(titles('a.test.ts', source)).toEqual([]);
});

test('a helper file is no test', () => {
  expect(titles('helper.ts', "test('R1.1 not run', () => {});")).toEqual([]);
});

test('a title may begin with several numbers, and only the beginning counts', () => {
  expect(callScript('requirements-report.mjs', 'numbersOf', 'R2.2, M3/E10: a move as R1.1 says')).toEqual([
    'R2.2',
    'M3',
    'E10',
  ]);
  expect(callScript('requirements-report.mjs', 'numbersOf', 'R2.20 is not R2.2')).toEqual(['R2.20']);
  expect(callScript('requirements-report.mjs', 'numbersOf', 'Repairs')).toEqual([]);
});

test('a built number without a test is an error, a planned one with a test is a warning', () => {
  const requirements = [
    { number: 'R1.1', status: 'built', text: '' },
    { number: 'R1.2', status: 'partly', text: '' },
    { number: 'R1.3', status: 'planned', text: '' },
    { number: 'R1.4', status: 'planned', text: '' },
  ];

  expect(judge(requirements, [{ file: 'test/a.test.ts', title: 'R1.3 early' }])).toMatchObject({
    errors: ['R1.1 is built and no test names it', 'R1.2 is partly and no test names it'],
    warnings: ['R1.3 is planned, but test/a.test.ts has a test of it'],
  });
});

test('a test that names a number which does not exist is an error', () => {
  expect(judge([], [{ file: 'test/a.test.ts', title: 'R99.1 from nowhere' }])).toMatchObject({
    errors: ['test/a.test.ts: "R99.1 from nowhere" names R99.1, which docs/requirements.md does not have'],
  });
});

test('a line with an unknown status is refused', () => {
  expect(() => callScript('read-requirements.mjs', 'readRequirements', '- R1.1 done: it works')).toThrow(/R1\.1 done/);
});
