import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { configSchema } from '../../src/config/schema';
import { parseLocated } from '../../src/located-yaml/located-document';
import { toolNames } from '../../src/requests/task/tool-names';
import { knownTools, loadTools } from '../../src/tools/load-tools';
import { loadToolModules } from '../../src/tools/modules/load-tool-modules';
import { tempFolder } from '../support/temp-folder';
import { shopTools, stdio } from './mcp/support/mcp-world';

jest.setTimeout(60_000);

const log = { debug: () => {}, info: () => {}, warn: () => {} };
const page = readFileSync(join(__dirname, '../../docs/tools.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

/** A module and a server beside each other; the server leaves a file behind when it is started. */
function installation() {
  const folder = tempFolder('holdfast-tools-');
  writeFileSync(join(folder, 'tools.ts'), blocks('ts')[0] ?? '');
  const mcp = { shop: stdio(folder, 'well', { prefix: 'shop_', tools: shopTools }) };
  writeFileSync(join(folder, 'holdfast.yaml'), JSON.stringify({ tools: ['tools.ts'], mcp }));
  return { folder, config: loadConfig({ cwd: folder, env: {} }) };
}

test('the worker has built-in tools, those of modules and those of servers', async () => {
  const { config } = installation();
  const { tools, close } = await loadTools(config, log as never);
  try {
    expect(tools.names()).toEqual(
      expect.arrayContaining(['read_file', 'create_refund', 'shop_refund', 'shop_reverse']),
    );
    expect(tools.offered(['shop_look'], []).map(({ name }) => name)).toContain('shop_look');
  } finally {
    await close();
  }
});

test('the command line knows the names that configuration says, and starts no server', async () => {
  const { folder, config } = installation();
  const { tools, ofServers, more } = await knownTools(config);
  expect(tools.get('create_refund')?.effect).toBe('deduplicated');
  expect(ofServers).toContainEqual({ name: 'shop_wire', effect: 'probed' });
  expect(more).toBe(true);
  const names = await toolNames(config);
  expect(names.tools).toEqual(expect.arrayContaining(['read_file', 'create_refund', 'shop_refund']));
  expect(names.moreTools).toBe(true);
  expect(() => readFileSync(join(folder, 'log'))).toThrow('ENOENT');
});

test('the examples of docs/tools.md are what they say: a module that loads, and a configuration that fits', async () => {
  const folder = tempFolder('holdfast-tools-');
  writeFileSync(join(folder, 'index.ts'), blocks('ts')[0] ?? '');
  const [source] = await loadToolModules([join(folder, 'index.ts')]);
  expect(source?.tools.map(({ name, effect }) => [name, effect])).toEqual([
    ['create_refund', 'deduplicated'],
    ['get_refund', 'none'],
  ]);
  expect(blocks('yaml').length).toBeGreaterThan(0);
  for (const example of blocks('yaml')) parseLocated('docs/tools.md', example, configSchema);
});
