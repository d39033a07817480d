import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLogger } from '../../src/logger';
import { knownTools, loadTools } from '../../src/tools/load-tools';
import { loadToolModules } from '../../src/tools/modules/load-tool-modules';
import { createRegistry } from '../../src/tools/registry';
import { tempFolder } from '../support/temp-folder';

jest.setTimeout(60_000);

/** Far from any folder that has `holdfast` among its packages. */
function moduleAt(name: string, text: string, more: Readonly<Record<string, string>> = {}): string {
  const folder = tempFolder('holdfast-modules-');
  for (const [path, content] of Object.entries({ [name]: text, ...more })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return join(folder, name);
}
const schema = `{ type: 'object', properties: { x: { type: 'string' } }, required: ['x'], additionalProperties: false }`;
const tool = (name: string) =>
  `defineTool({ name: '${name}', description: 'Says x.', schema: ${schema}, effect: 'none', workspace: false, quick: true,
    timeoutMs: 1_000, run: async ({ x }) => ({ ok: true, output: x }) })`;

test.each([
  [
    'tools/index.ts',
    `import { defineTool, type ToolDefinition } from 'holdfast';
     import { suffix } from './suffix';
     enum Kind { One = 'one' }
     const list: readonly ToolDefinition[] = [${tool('one')}, ${tool('two')}];
     export default list;
     export const helper = (kind: Kind): string => kind + suffix;`,
    ['one', 'two'],
  ],
  [
    'named.mts',
    `import { defineTool } from 'holdfast'; export const one = ${tool('one')}; export const more = [one, ${tool('two')}];`,
    ['one', 'two'],
  ],
  ['plain.mjs', `import { defineTool } from 'holdfast'; export default ${tool('one')};`, ['one']],
  ['plain.cjs', `const { defineTool } = require('holdfast'); module.exports = [${tool('one')}];`, ['one']],
])('the tools of a module are found, each once: %s', async (name, text, expected) => {
  const path = moduleAt(name, text, { 'tools/suffix.ts': `export const suffix: string = '!';` });
  const [source] = await loadToolModules([path]);
  expect(source?.origin).toBe(path);
  expect(source?.tools.map((found) => found.name)).toEqual(expected);
  const [first] = source?.tools ?? [];
  if (!first || !('run' in first)) throw new Error('no read');
  expect(first.validate({ x: 1 })).toContain('"x" must be string');
  expect(await first.run({ x: 'hello' } as never, {} as never)).toEqual({ ok: true, output: 'hello' });
});

test('E4 a Rejected that a module throws is known for what it is', async () => {
  const path = moduleAt(
    'index.ts',
    `import { defineTool, Rejected } from 'holdfast';
     export const pay = defineTool({ name: 'pay', description: 'Pays.', schema: ${schema}, effect: 'unsafe', timeoutMs: 1_000,
       send: async () => { throw new Rejected('NO_MONEY', 'There is none.'); } });`,
  );
  const [pay] = (await loadToolModules([path]))[0]?.tools ?? [];
  if (!pay || !('send' in pay)) throw new Error('no write');
  expect(await pay.send('k', { x: '' } as never, {} as never)).toMatchObject({
    kind: 'rejected',
    error: { code: 'NO_MONEY' },
  });
});

describe('what is wrong with a module is told with its file and its export', () => {
  test.each([
    ['a mistake in it', 'export const = 1;', 'this tool module cannot be loaded'],
    ['an import that leads nowhere', `import 'no-such-package'; export default [];`, 'no-such-package'],
    [
      'a wrong schema',
      `import { defineTool } from 'holdfast'; export default ${tool('one').replace("'string'", "'strng'")};`,
      'cannot be loaded: schema is invalid',
    ],
    ['no tool', 'export const helper = () => 1;', 'this tool module exports no tool'],
    ['a default that is none', 'export default 7;', 'the export "default" must be a tool or a list of tools'],
    [
      'a tool that nobody made',
      `export const mine = { name: 'mine', effect: 'unsafe', send: async () => ({}) };`,
      'the export "mine" is no tool that defineTool made',
    ],
    [
      'a tool of the runtime',
      `import { defineTool } from 'holdfast'; export const end = defineTool({ name: 'end', description: '', schema: ${schema}, effect: 'control', quick: true, timeoutMs: 1 });`,
      'end has effect control',
    ],
  ])('%s', async (_, text, words) => {
    const path = moduleAt('index.ts', text);
    await expect(loadToolModules([path])).rejects.toThrow(words);
    await expect(loadToolModules([path])).rejects.toThrow(path);
  });
  test('no file', async () => {
    await expect(loadToolModules(['/no/such/tools.ts'])).rejects.toThrow(
      '/no/such/tools.ts: this tool module cannot be loaded',
    );
  });
});

test('two modules with a tool of one name are refused, both named', async () => {
  const text = `import { defineTool } from 'holdfast'; export default ${tool('one')};`;
  const paths = [moduleAt('a.ts', text), moduleAt('b.ts', text)];
  const sources = await loadToolModules(paths);
  expect(() => createRegistry([], sources)).toThrow(`one of ${paths[0]}, one of ${paths[1]}`);
});

describe('E9 a compensation that could undo nothing is told when the module is loaded', () => {
  const undoneBy = (name: string) =>
    `import { defineTool } from 'holdfast';
     export const pay = defineTool({ name: 'pay', description: 'Pays.', schema: ${schema}, effect: 'unsafe', timeoutMs: 1_000,
       compensation: { tool: '${name}', args: () => ({}) }, send: async () => ({ kind: 'committed', output: '' }) });
     export const look = ${tool('look')};`;
  const quiet = createLogger('silent', 'test');
  test.each([
    ['pays', 'pay.compensation: there is no tool "pays"; there is "pay"'],
    ['nothing_like_it', 'pay.compensation: there is no tool "nothing_like_it"'],
    ['look', 'pay.compensation: look is no write outside, so it undoes nothing'],
    ['write_file', 'pay.compensation: write_file is no write outside'],
  ])('%s', async (name, words) => {
    const config = { toolModules: [moduleAt('index.ts', undoneBy(name))], mcp: [], skillFolders: [] };
    await expect(knownTools(config)).rejects.toThrow(words);
    await expect(loadTools(config, quiet)).rejects.toThrow(`${config.toolModules[0]}: ${words}`);
  });
  test('one that is there is taken', async () => {
    const { tools } = await knownTools({
      toolModules: [moduleAt('index.ts', undoneBy('pay'))],
      mcp: [],
      skillFolders: [],
    });
    expect(tools.names()).toContain('pay');
  });
});
