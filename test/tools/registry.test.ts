import { defineTool } from '../../src/tools/define-tool';
import { createRegistry } from '../../src/tools/registry';

const lookup = defineTool({
  name: 'lookup_order',
  description: 'Looks an order up.',
  schema: {
    type: 'object',
    properties: { orderId: { type: 'string' }, deep: { type: 'boolean' } },
    required: ['orderId'],
    additionalProperties: false,
  },
  effect: 'none',
  workspace: false,
  quick: true,
  timeoutMs: 1_000,
  run: async ({ orderId, deep }) => ({ ok: true, output: `${orderId.toUpperCase()} ${deep === true}` }),
});
const control = ['ask_user', 'finish', 'update_plan', 'read_artifact', 'recall'];

test('the tools that are always offered are, and others where they are named', () => {
  const tools = createRegistry([lookup]);
  expect(tools.offered([], []).map(({ name }) => name)).toEqual(control);
  expect(tools.offered(['lookup_order', 'read_file', 'no_such'], []).map(({ name }) => name)).toEqual([
    ...control,
    'read_file',
    'lookup_order',
  ]);
  expect(tools.offered(['read_file', 'run_command'], ['run_command', 'ask_user']).map(({ name }) => name)).toEqual([
    'finish',
    'update_plan',
    'read_artifact',
    'recall',
    'read_file',
  ]);
});

test('two tools of one name are refused, and both places that they come from are named', () => {
  const sources = ['shop', 'bank'].map((name) => ({ origin: `the MCP server "${name}"`, tools: [lookup] }));
  expect(() => createRegistry([], sources)).toThrow(
    'Two tools are called "lookup_order": one of the MCP server "shop", one of the MCP server "bank". Rename one, or give the MCP server a prefix.',
  );
  expect(() => createRegistry([lookup, lookup])).toThrow('one of the added ones, one of the added ones');
  expect(() => createRegistry([{ ...lookup, name: 'read_file' }])).toThrow('one of Holdfast itself');
});

test('R4.1 every tool names its effect, and only control tools have no run', () => {
  const tools = createRegistry().offered(
    ['read_file', 'list_files', 'search_text', 'apply_patch', 'write_file', 'run_command'],
    [],
  );
  const effects = Object.fromEntries(tools.map(({ name, effect }) => [name, effect]));
  expect(effects).toEqual({
    ask_user: 'control',
    finish: 'control',
    update_plan: 'control',
    read_artifact: 'none',
    recall: 'none',
    read_file: 'none',
    list_files: 'none',
    search_text: 'none',
    apply_patch: 'idempotent',
    write_file: 'idempotent',
    run_command: 'idempotent',
  });
  expect(tools.filter((tool) => 'run' in tool).map(({ effect }) => effect)).not.toContain('control');
  expect(tools.filter(({ quick }) => !quick).map(({ name }) => name)).toEqual(['run_command']);
});

describe('R8.4 arguments are checked strictly', () => {
  const tools = createRegistry();
  const check = (name: string, args: unknown) => tools.get(name)?.validate(args);
  test.each([
    ['read_file', { path: 'a' }],
    ['read_file', { path: 'a', offset: 1, limit: 2 }],
    ['list_files', {}],
    ['run_command', { command: 'true', timeoutMs: 5 }],
    ['update_plan', { steps: [{ id: '1', title: 't', status: 'doing' }], note: 'n' }],
    ['ask_user', { question: 'q', choices: ['a'] }],
    ['finish', { summary: 's', status: 'blocked', unknowns: ['u'], citations: [{ source: 's', quote: 'q' }] }],
  ])('%s takes %j', (name, args) => expect(check(name, args)).toBeUndefined());

  test.each([
    ['read_file', {}, 'must have "path"'],
    ['read_file', { path: 'a', lines: 3 }, 'must not have "lines"'],
    ['read_file', { path: 7 }, '"path" must be string'],
    ['read_file', { path: 'a', offset: '1' }, '"offset" must be integer'],
    ['read_file', { path: 'a', offset: 0 }, '"offset" must be >= 1'],
    ['read_file', null, 'must be object'],
    ['read_file', [], 'must be object'],
    ['run_command', { command: '' }, '"command"'],
    ['run_command', { command: 'x', timeoutMs: 1e9 }, '"timeoutMs" must be <= 600000'],
    ['finish', { summary: 's', status: 'ok' }, '"status" must be one of ["done","blocked","refused"]'],
    ['update_plan', { steps: [{ id: '1', title: 't', status: 'doing', x: 1 }] }, '"steps.0" must not have "x"'],
    ['read_artifact', { hash: '../x' }, '"hash" must match pattern'],
  ])('%s refuses %j: %s', (name, args, why) => expect(check(name, args)).toContain(why));

  test('and are neither changed nor filled in', () => {
    const args = Object.freeze({ path: 'a' });
    expect(check('read_file', args)).toBeUndefined();
    expect(args).toEqual({ path: 'a' });
  });
});

test('a schema that is wrong is refused when the tool is made', () => {
  expect(() =>
    defineTool({
      name: 'count',
      description: 'Counts.',
      effect: 'control',
      quick: true,
      timeoutMs: 1_000,
      schema: { type: 'object', properties: { x: { type: 'integer', minimun: 1 } }, additionalProperties: false },
    }),
  ).toThrow(/minimun/);
});

test.each([
  ['items', `{"steps":[${'1,'.repeat(1_000_000)}1]}`],
  ['wrong objects', `{"steps":[${'{},'.repeat(300_000)}{}]}`],
  ['unknown arguments', `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join()}}`],
  ['levels', `{"steps":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
])('R8.4 arguments of endless %s are refused by their number, not one error for each', (_, text) => {
  const wrong = createRegistry().get('update_plan')?.validate(JSON.parse(text));
  expect(wrong).toBe('the arguments hold more than 5000 values');
});
