import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { tempFolder } from '../support/temp-folder';

function load(yaml: string, env: Record<string, string> = {}) {
  const cwd = tempFolder('holdfast-config-');
  writeFileSync(join(cwd, 'holdfast.yaml'), yaml);
  return { cwd, config: loadConfig({ cwd, env }) };
}

test('tool modules and the folder of a server are meant from the folder of the file that names them', () => {
  const { cwd, config } = load('{ tools: [tools/index.ts, /srv/t.js], mcp: { shop: { command: node, cwd: shop } } }');
  expect(config.toolModules).toEqual([join(cwd, 'tools/index.ts'), '/srv/t.js']);
  expect(config.mcp[0]?.transport).toEqual({
    kind: 'stdio',
    command: 'node',
    args: [],
    cwd: join(cwd, 'shop'),
    env: {},
  });
});

test('R4.1 a tool that nobody named is an unsafe write, and what a server says holds for its tools', () => {
  const { config } = load(
    'mcp: { shop: { url: "https://x.example", untrusted: true, timeoutMs: 5, tools: { a: { effect: none } } } }',
  );
  const base = { untrusted: true, timeoutMs: 5, quick: false };
  expect(config.mcp[0]).toMatchObject({
    default: { ...base, effect: 'unsafe' },
    tools: { a: { ...base, effect: 'none' } },
    prefix: '',
  });
});

test('R10.4 a secret is read when it is used, and is no part of the configuration', () => {
  const env: Record<string, string> = { TOKEN: 'secret' };
  const { config } = load(
    'mcp: { shop: { url: "https://x.example", headers: { Authorization: { env: TOKEN } } } }',
    env,
  );
  const [shop] = config.mcp;
  if (shop?.transport.kind !== 'http') throw new Error('no server');
  const { Authorization: setting } = shop.transport.headers;
  if (typeof setting !== 'object') throw new Error('no secret');
  expect(JSON.stringify(config.mcp)).not.toContain('"secret"');
  env['TOKEN'] = 'another';
  expect(setting.read()).toBe('another');
});

const tool = (text: string) => `mcp: { shop: { command: x, tools: { t: ${text} } } }`;
test.each([
  [
    'neither a command nor an address',
    'mcp: { shop: { args: [a] } }',
    '1:14: mcp.shop: a server has either command or url',
  ],
  ['both', 'mcp: { shop: { command: x, url: "http://a" } }', 'a server has either command or url'],
  [
    'headers of a program',
    'mcp: { shop: { command: x, headers: { a: b } } }',
    '1:37: mcp.shop.headers: headers go with url',
  ],
  ['an unknown key', 'mcp: { shop: { comand: x } }', 'unknown key "comand" (known here: command, args,'],
  ['no effect', tool('{ target: "a:{b}" }'), 'mcp.shop.tools.t.effect'],
  ['another effect', tool('{ effect: safe }'), 'mcp.shop.tools.t.effect'],
  ['a probed write without a probe', tool('{ effect: probed }'), 'a probed write needs probe: { tool, args }'],
  ['a probe of another', tool('{ effect: unsafe, probe: { tool: a, args: {} } }'), 'only a probed write has a probe'],
  ['a quick unsafe write', tool('{ effect: unsafe, quick: true }'), 'an unsafe write is never quick'],
  ['a key of a read', tool('{ effect: none, businessKey: "{a}" }'), 'only a write has it; this tool has effect none'],
  [
    'a key without an argument',
    tool('{ effect: unsafe, businessKey: orderId }'),
    'it names no argument; write one as {name}',
  ],
  [
    'a brace too many',
    tool('{ effect: unsafe, businessKey: "{a}}" }'),
    'a brace stands around something that is no name',
  ],
  ['arguments that run together', tool('{ effect: unsafe, businessKey: "{a}{b}" }'), 'two arguments run together'],
  [
    'a compensation by default',
    'mcp: { shop: { command: x, default: { effect: unsafe, compensation: {} } } }',
    'unknown key "compensation"',
  ],
  [
    'a quick default',
    'mcp: { shop: { command: x, default: { effect: unsafe, quick: true } } }',
    'an unsafe write is never quick',
  ],
])('%s is refused with its place', (_, yaml, words) => {
  expect(() => load(yaml)).toThrow(words);
  expect(() => load(yaml)).toThrow(/holdfast\.yaml:1:\d+: mcp/);
});
