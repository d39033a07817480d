import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../src/located-yaml/input-error';
import { startSnapshot } from '../../src/requests/running/start-snapshot';
import { parseTask, readTaskFile } from '../../src/requests/task/task-file';
import { tempFolder } from '../support/temp-folder';

const folder = tempFolder('holdfast-task-file-');
const known = {
  tools: ['read_file', 'apply_patch'],
  reads: ['read_file'],
  models: ['default', 'backup'],
  databases: ['sales'],
};
let written = 0;

function fileOf(text: string): string {
  written += 1;
  const file = join(folder, `task-${written}.yaml`);
  writeFileSync(file, text);
  return file;
}

/** What is wrong with a task file, each as `line:column: message`. */
function problems(text: string, names = known): string[] {
  const file = fileOf(text);
  try {
    readTaskFile(file, names);
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n').map((line) => line.replace(`${file}:`, ''));
    throw error;
  }
  return [];
}

const valid = [
  'task: fix',
  'kind: code_change',
  'goal: Make it pass.',
  'acceptance:',
  '  - { id: tests, check: command, run: npm test, timeoutMs: 5000 }',
  'workspace: { git: ../repo }',
].join('\n');

test('R1.1 a task file becomes a contract, limits in whole units, a model and a first message', () => {
  const file = fileOf(
    `${valid}\ntools: [read_file]\nbudget: { maxCostUsd: 0.5, maxRuntimeSeconds: 1.5, maxTurns: 2 }\nmodel: backup\n`,
  );

  expect(readTaskFile(file, known)).toEqual({
    task: 'fix',
    model: 'backup',
    input: 'Make it pass.',
    limits: { maxCostMicroUsd: 500_000, maxRuntimeMs: 1_500, maxTurns: 2 },
    contract: {
      kind: 'code_change',
      goal: 'Make it pass.',
      constraints: [],
      forbidden: [],
      tools: ['read_file'],
      acceptance: [
        { id: 'changed', check: 'diff' },
        { id: 'tests', check: 'command', run: 'npm test', timeoutMs: 5_000 },
      ],
      workspace: { git: join(folder, '../repo'), ref: 'HEAD', setup: 'auto' },
    },
  });
});

test('R3.3 a code change that names a diff check keeps it as it is', () => {
  const file = fileOf(
    'task: fix\nkind: code_change\ngoal: g\nworkspace: { git: ., ref: v1, setup: [make deps] }\n' +
      'acceptance:\n  - { id: d, check: diff, only: ["src/**"], mustNotChange: [test/**], repair: false }\n',
  );
  const { contract } = readTaskFile(file, known);
  expect(contract.acceptance).toEqual([
    { id: 'd', check: 'diff', only: ['src/**'], mustNotChange: ['test/**'], repair: false },
  ]);
  expect(contract.workspace).toEqual({ git: folder, ref: 'v1', setup: ['make deps'] });
});

test.each([['https://example.org/a.git'], ['git@example.org:team/a.git'], ['file:///srv/a']])(
  'a workspace from the URL %s stays what it is',
  (git) => {
    const file = fileOf(valid.replace('../repo', `"${git}"`));
    expect(readTaskFile(file, known).contract.workspace?.git).toBe(git);
  },
);

test.each([
  'https://ana:ghp_MARKER@example.org/a.git',
  'https://ghp_MARKER@example.org/a.git',
  'https://example.org/a.git?access_token=MARKER',
  'ssh://git:MARKER@example.org/a.git',
  'ana:MARKER@example.org/a.git',
  'https:/ana:MARKER@example.org/a.git',
])('R10.4 an address with a secret is refused where it stands, and not said again (%s)', (git) => {
  const found = problems(valid.replace('{ git: ../repo }', `\n  git: "${git}"`));
  expect(found).toEqual([
    expect.stringMatching(/^7:8: workspace\.git: the address holds .* credential helper, an ssh key/),
  ]);
  expect(found.join()).not.toContain('MARKER');
});

test('JSON is a task file too', () => {
  const file = fileOf(JSON.stringify({ task: 'talk', kind: 'dialog', goal: 'Say hello.', input: 'Hello?' }));
  expect(readTaskFile(file, known)).toMatchObject({ task: 'talk', input: 'Hello?', contract: { acceptance: [] } });
});

test.each([
  ['an empty file', '', '1:1: the file is empty'],
  ['a list', '- task', '1:1: expected object, received array'],
  ['a bad line', 'task: fix\ngoal: [a\nkind: dialog', '(check the quotes, colons and indentation here)'],
  ['a key twice', 'task: a\ntask: b', '2:1: not YAML: Map keys must be unique'],
  ['a missing goal', 'task: a\nkind: dialog', '1:1: goal: is missing'],
  ['a goal that says nothing', 'task: a\nkind: dialog\ngoal: "  "', '3:7: goal: says nothing'],
  ['a wrong type', 'task: a\nkind: dialog\ngoal: 7', '3:7: goal: expected string, received number'],
  [
    'an unknown key',
    'task: a\nkind: dialog\ngoal: g\ngaol: g',
    '4:1: unknown key "gaol" (known here: task, kind, goal',
  ],
  [
    'an unknown key inside',
    'task: a\nkind: dialog\ngoal: g\nbudget: { maxUsd: 1 }',
    '4:11: budget: unknown key "maxUsd"',
  ],
  ['a bad name', 'task: A b\nkind: dialog\ngoal: g', '1:7: task: a name is'],
  [
    'a data task without a query',
    'task: a\nkind: data\ngoal: g',
    '1:1: acceptance: a data needs at least one check, such as { id: figure, check: query',
  ],
  [
    'a database that nobody configured',
    'task: a\nkind: data\ngoal: g\nacceptance:\n  - { id: f, check: query, database: shop }',
    '5:38: acceptance[0].database: no database is named "shop"; there are sales',
  ],
  [
    'a query of a task whose agent has none',
    'task: a\nkind: dialog\ngoal: g\nacceptance:\n  - { id: f, check: query, database: sales }',
    '5:21: acceptance[0].check: a query check needs sql',
  ],
  [
    'a query that is another one tomorrow',
    'task: a\nkind: data\ngoal: g\nacceptance:\n  - { id: f, check: query, database: sales, sql: select current_date }',
    '5:50: acceptance[0].sql: asks for current_date',
  ],
  [
    'several statements',
    'task: a\nkind: data\ngoal: g\nacceptance:\n  - { id: f, check: query, database: sales, sql: select 1; select 2 }',
    '5:50: acceptance[0].sql: takes one statement',
  ],
  [
    'a person who is asked before the last check',
    'task: a\nkind: research\ngoal: g\nacceptance:\n  - { id: h, check: human, question: ok? }\n  - { id: c, check: citations }',
    '5:21: acceptance[0].check: a person is asked once, after all other checks',
  ],
  [
    'a person who is asked about an answer',
    'task: a\nkind: dialog\ngoal: g\nacceptance:\n  - { id: h, check: human, question: ok? }',
    '5:21: acceptance[0].check: a dialog ends with an answer to the user',
  ],
  [
    'a research without citations',
    'task: a\nkind: research\ngoal: g',
    '1:1: acceptance: a research needs at least one check, such as { id: sources, check: citations',
  ],
  ['an unknown kind', 'task: a\nkind: dance\ngoal: g', '2:7: kind: expected one of dialog, code_change'],
  ['a missing kind', 'task: a\ngoal: g', '1:1: kind: is missing'],
  [
    'a code change without a place',
    'task: a\nkind: code_change\ngoal: g\nacceptance:\n  - { id: t, check: command, run: x }',
    '1:1: a code_change needs a workspace',
  ],
  [
    'a code change without a check',
    'task: a\nkind: code_change\ngoal: g\nworkspace: { git: . }',
    '1:1: acceptance: a code_change needs at least one check',
  ],
  [
    'a negative budget',
    'task: a\nkind: dialog\ngoal: g\nbudget: { maxCostUsd: -1 }',
    '4:23: budget.maxCostUsd: Too small',
  ],
  [
    'a check that outlasts its verification',
    'task: a\nkind: code_change\ngoal: g\nworkspace: { git: . }\nacceptance:\n  - { id: t, check: command, run: x, timeoutMs: 6000001 }',
    '6:49: acceptance[0].timeoutMs: Too big: expected number to be <=6000000',
  ],
  [
    'an unknown tool',
    'task: a\nkind: dialog\ngoal: g\ntools: [read_file, fly]',
    '4:20: tools[1]: no tool is named "fly"; there are read_file, apply_patch',
  ],
  [
    'an unknown model',
    'task: a\nkind: dialog\ngoal: g\nmodel: big',
    '4:8: model: no model is named "big"; there are default, backup',
  ],
])('%s is refused with its place', (_what, text, expected) => {
  expect(problems(text)[0]).toContain(expected);
});

test.each([
  ['an unknown check', '{ id: a, check: vibes }', '6:21: acceptance[0].check: expected one of command, diff'],
  [
    'a sealed question to a person',
    '{ id: a, check: human, question: x, sealed: true }',
    '6:41: acceptance[0]: unknown key "sealed"',
  ],
  [
    'files that are not configured',
    '{ id: a, check: command, run: x, sealed: true, files: hidden }',
    'acceptance[0].files: there are no such files here: holdfast.yaml takes sealed: { hidden: { path: folder } }',
  ],
  ['no check', '{ id: a }', '6:5: acceptance[0].check: check is missing'],
  ['no object', 'tests', '6:5: acceptance[0]: expected an object'],
])('%s in acceptance is refused with its place', (_what, criterion, expected) => {
  const text = `task: a\nkind: code_change\ngoal: g\nworkspace: { git: . }\nacceptance:\n  - ${criterion}`;
  expect(problems(text)[0]).toContain(expected);
});

test('R3.4 a sealed test is bound to what its files hold', () => {
  const text = 'task: a\nkind: code_change\ngoal: g\nworkspace: { git: . }\nacceptance:\n';
  const check = '  - { id: final, check: command, run: sh hidden.sh, sealed: true, files: hidden }\n';
  const { acceptance } = readTaskFile(fileOf(text + check), { ...known, files: { hidden: 'abc' } }).contract;
  expect(acceptance.at(-1)).toEqual({
    id: 'final',
    check: 'command',
    run: 'sh hidden.sh',
    sealed: true,
    files: { name: 'hidden', hash: 'abc' },
  });
});

test('R3.3 a business action is known to be done by what another system says', () => {
  const text = 'task: a\nkind: business_action\ngoal: g\nacceptance:\n';
  const check =
    '  - { id: r, check: external, tool: read_file, args: { path: x }, expect: { a: { b: [1] } }, withinMs: 5000 }\n';
  expect(readTaskFile(fileOf(text + check), known).contract.acceptance).toEqual([
    { id: 'r', check: 'external', tool: 'read_file', args: { path: 'x' }, expect: { a: { b: [1] } }, withinMs: 5000 },
  ]);
  const refused = (criterion: string) => problems(`${text}  - ${criterion}`);
  expect(problems('task: a\nkind: business_action\ngoal: g')[0]).toContain(
    'a business_action needs at least one check',
  );
  expect(refused('{ id: r, check: external, tool: fly, expect: { a: 1 } }')).toEqual([
    '5:37: acceptance[0].tool: no tool is named "fly"; there are read_file',
  ]);
  expect(refused('{ id: r, check: external, tool: apply_patch, expect: { a: 1 } }')).toEqual([
    '5:37: acceptance[0].tool: apply_patch is no tool that only reads; a check looks, with one of read_file',
  ]);
  expect(refused('{ id: r, check: external, tool: read_file, expect: {} }')[0]).toContain('expects nothing');
  expect(refused('{ id: r, check: diff }')).toEqual(
    expect.arrayContaining([
      '5:21: acceptance[0].check: a diff check needs a workspace',
      expect.stringContaining('a business_action needs at least one check, such as { id: done, check: external'),
    ]),
  );
});

test('a tool that only an MCP server may know is let through, for the model and for a check', () => {
  const servers = { ...known, moreTools: true };
  const text = 'task: a\nkind: business_action\ngoal: g\ntools: [fly]\nacceptance:\n';
  expect(problems(`${text}  - { id: r, check: external, tool: look, expect: { a: 1 } }`, servers)).toEqual([]);
  expect(problems(`${text}  - { id: r, check: external, tool: apply_patch, expect: { a: 1 } }`, servers)).toHaveLength(
    1,
  );
});

test('two checks of one name are refused', () => {
  expect(problems(`${valid.replace('acceptance:', 'acceptance:\n  - { id: tests, check: diff }')}`)).toEqual([
    '6:11: acceptance[1].id: two checks are named "tests"',
  ]);
});

test('R12.4 the start of an attempt with as many and as long checks as are allowed stays far below 32 KB', () => {
  const checks = (count: number) =>
    Array.from({ length: count }, (_, i) => `  - { id: ${`c${i}-`.padEnd(63, 'x')}, check: command, run: x }`);
  const textOf = (count: number) =>
    ['task: a', 'kind: code_change', 'goal: g', 'workspace: { git: . }', 'acceptance:', ...checks(count)].join('\n');

  const { contract } = readTaskFile(fileOf(textOf(100)), known);
  const snapshot = startSnapshot(contract, {
    models: {},
    workspace: { sandbox: 'auto', hosts: 'one' },
    model: 'default',
    searchAttributes: true,
  });
  expect(snapshot.criteria.length).toBeGreaterThanOrEqual(100);
  expect(JSON.stringify(snapshot).length).toBeLessThan(8 * 1024);
  expect(problems(textOf(101))).toEqual(['6:3: acceptance: Too big: expected array to have <=100 items']);
});

test('every problem is named, in the order of the lines', () => {
  expect(problems('task: A\nkind: dialog\ngoal: 1\nfoo: 1').map((line) => line.split(':')[0])).toEqual(['1', '3', '4']);
});

test('where no model is configured, the message says how to name one', () => {
  expect(problems('task: a\nkind: dialog\ngoal: g', { ...known, models: [] })[0]).toContain('set OPENAI_API_KEY');
});

test('a model of the command line takes the place of the one in the file', () => {
  const file = fileOf('task: a\nkind: dialog\ngoal: g\nmodel: nowhere');
  expect(readTaskFile(file, { ...known, model: 'backup' }).model).toBe('backup');
});

test('a file that is not there is an error that names it', () => {
  expect(() => readTaskFile(join(folder, 'none.yaml'), known)).toThrow(/cannot read .*none\.yaml/);
});

test('a task that comes as a text has its paths below the folder that is given, and its problems with their places', () => {
  const from = (value: object) => parseTask('task', JSON.stringify(value), { ...known, folder: '/srv/work' });
  const task = { task: 'fix', kind: 'code_change', goal: 'Mend it.', workspace: { git: './shop' } };
  const checked = { ...task, acceptance: [{ id: 'tests', check: 'command', run: 'npm test' }] };
  expect(from(checked).contract.workspace).toMatchObject({ git: '/srv/work/shop' });
  expect(() => from(task)).toThrow(/^task:1:\d+: acceptance: a code_change needs at least one check/);
});
