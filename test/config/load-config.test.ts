import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { fallbackOrder } from '../../src/config/models';
import { tempFolder } from '../support/temp-folder';

function folderWith(yaml?: string): string {
  const cwd = tempFolder('holdfast-config-');
  if (yaml !== undefined) writeFileSync(join(cwd, 'holdfast.yaml'), yaml);
  return cwd;
}
const load = (yaml?: string, env: Record<string, string> = {}) => loadConfig({ cwd: folderWith(yaml), env });

test('without a file or a variable everything is embedded, under .holdfast', () => {
  const cwd = folderWith();
  expect(loadConfig({ cwd, env: {} })).toEqual({
    calledFrom: cwd,
    dataDir: join(cwd, '.holdfast'),
    objectStore: join(cwd, '.holdfast/objects'),
    models: {},
    workspace: { sandbox: 'auto', hosts: 'one' },
    toolModules: [],
    skillFolders: [],
    mcp: [],
    databases: {},
    sealed: {},
    policy: { principals: [], singleUser: true },
    logLevel: 'info',
    embedded: {},
    environment: {},
    gateway: { hosts: [], requestsPerMinute: 600 },
  });
});

test('the environment names servers, folders and the level of the log; options win over it', () => {
  const cwd = folderWith();
  const env = {
    HOLDFAST_DATA_DIR: 'data',
    DATABASE_URL: 'postgres://db/x',
    TEMPORAL_ADDRESS: 'temporal:7233',
    TEMPORAL_NAMESPACE: 'team',
    TEMPORAL_API_KEY: 'k',
    HOLDFAST_OBJECT_STORE: 'file:///srv/objects',
    LOG_LEVEL: 'DEBUG',
  };
  const config = loadConfig({ cwd, env, flags: { dataDir: 'elsewhere' } });
  expect(config).toMatchObject({
    dataDir: join(cwd, 'elsewhere'),
    databaseUrl: 'postgres://db/x',
    temporal: { address: 'temporal:7233', namespace: 'team', connection: { apiKey: 'k', tls: true } },
    objectStore: '/srv/objects',
    logLevel: 'debug',
  });
});

test('options are relative to the folder that the command was typed in, the usual places to the working folder', () => {
  const [cwd, typedIn] = [folderWith(), folderWith('models: {}')];
  const env = { HOLDFAST_CALLED_FROM: typedIn, HOLDFAST_DATA_DIR: 'data' };
  expect(loadConfig({ cwd, env })).toMatchObject({ calledFrom: typedIn, dataDir: join(cwd, 'data') });
  expect(loadConfig({ cwd, env, flags: { config: 'holdfast.yaml', dataDir: 'd' } })).toMatchObject({
    file: join(typedIn, 'holdfast.yaml'),
    dataDir: join(typedIn, 'd'),
  });
});

test('a profile in the home folder does not take the place of the embedded server unasked', () => {
  const home = folderWith();
  writeFileSync(join(home, 'temporal.toml'), '[profile.default]\naddress = "cloud:7233"\n');
  expect(load(undefined, { HOME: home, XDG_CONFIG_HOME: home }).temporal).toBeUndefined();
  expect(load(undefined, { TEMPORAL_CONFIG_FILE: join(home, 'temporal.toml') }).temporal?.address).toBe('cloud:7233');
});

const models = `
models:
  default: { provider: openai-compatible, model: big, baseUrl: "http://127.0.0.1:9901/v1", apiKey: { env: MODEL_KEY },
             contextTokens: 32000, maxOutputTokens: 1000, timeoutMs: 5000, quick: true,
             price: { inputPerMTok: 1, outputPerMTok: 4 }, fallback: [b], headers: { X-Step: "{attempt}/{step}" } }
  b: { provider: anthropic, model: claude, fallback: [c, default] }
  c: { provider: openai, model: gpt }
`;

test('models are read with every setting decided', () => {
  const { default: first, c } = load(models).models;
  expect(first).toMatchObject({
    provider: 'openai-compatible',
    model: 'big',
    baseUrl: 'http://127.0.0.1:9901/v1',
    contextTokens: 32_000,
    maxOutputTokens: 1_000,
    timeoutMs: 5_000,
    quick: true,
    price: { inputPerMTok: 1, outputPerMTok: 4 },
    headers: { 'X-Step': '{attempt}/{step}' },
  });
  expect(c).toMatchObject({ contextTokens: 128_000, maxOutputTokens: 8_192, timeoutMs: 120_000, quick: false });
});

test('R9.1 a secret is named in the file and read at each use', () => {
  const env: Record<string, string> = { MODEL_KEY: 'one' };
  const model = load(models, env).models['default'];
  expect(model?.apiKey?.()).toBe('one');
  env['MODEL_KEY'] = 'two';
  expect(model?.apiKey?.()).toBe('two');
});

test('fallbacks are tried in order, each once, however they point at each other', () => {
  expect(fallbackOrder(load(models).models, 'default')).toEqual(['default', 'b', 'c']);
  expect(fallbackOrder(load(models).models, 'b')).toEqual(['b', 'c', 'default']);
});

test.each([
  [{ HOLDFAST_MODEL: 'm', HOLDFAST_MODEL_BASE_URL: 'http://x/v1' }, 'openai-compatible', 'm'],
  [{ OPENAI_API_KEY: 'k' }, 'openai', 'gpt-5-mini'],
  [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic', 'claude-sonnet-4-5'],
  [{ OPENAI_API_KEY: 'k', HOLDFAST_MODEL: 'm' }, 'openai', 'm'],
])('without a file, %j makes the default model', (env, provider, model) => {
  expect(load(undefined, env).models['default']).toMatchObject({ provider, model });
});

const ownServer = { HOLDFAST_MODEL: 'm', HOLDFAST_MODEL_BASE_URL: 'http://x/v1' };

test.each([
  ['no key', {}],
  ['an empty key', { HOLDFAST_MODEL_API_KEY: '' }],
  ['the key of another provider (R10.4)', { OPENAI_API_KEY: 'secret' }],
])('a server that is named with %s is asked without one', (_what, keys) => {
  // Not even a resolver: one that resolves to nothing is a key that somebody forgot to set.
  expect(load(undefined, { ...ownServer, ...keys }).models['default']).not.toHaveProperty('apiKey');
});

test('a server that is named gets its own key, read at each use', () => {
  const env: Record<string, string> = { ...ownServer, HOLDFAST_MODEL_API_KEY: 'one' };
  const model = load(undefined, env).models['default'];
  expect(model?.apiKey?.()).toBe('one');
  env['HOLDFAST_MODEL_API_KEY'] = 'two';
  expect(model?.apiKey?.()).toBe('two');
});

test('models of the file stand alone: the environment adds none', () => {
  expect(Object.keys(load('models: {}', { OPENAI_API_KEY: 'k' }).models)).toEqual([]);
});

test('tenants have limits of their own', () => {
  expect(load('tenants: { shop: { budget: { maxCostUsd: 5 } }, lab: {} }').tenants).toEqual({
    shop: { maxCostMicroUsd: 5_000_000 },
    lab: {},
  });
});

test('R6.1 a tenant may cost so much a month, a day or in all', () => {
  const { tenants, tenantCosts } = load(
    'tenants: { shop: { maxCostUsd: 200 }, lab: { maxCostUsd: 0.5, per: day }, free: { budget: { maxTurns: 3 } } }',
  );
  expect(tenantCosts).toEqual({
    shop: { maxCostMicroUsd: 200_000_000, per: 'month' },
    lab: { maxCostMicroUsd: 500_000, per: 'day' },
  });
  expect(tenants?.['free']).toEqual({ maxTurns: 3 });
  expect(load('models: {}').tenantCosts).toBeUndefined();
});

const nine = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8', 'b9'];
const withFallbacks = (names: readonly string[]) =>
  [
    'models:',
    `  a: { provider: openai, model: m, fallback: [${names.join(', ')}] }`,
    ...nine.map((name) => `  ${name}: { provider: openai, model: m }`),
  ].join('\n');

test('eight fallbacks are not too many', () => {
  expect(fallbackOrder(load(withFallbacks(nine.slice(1))).models, 'a')).toEqual(['a', ...nine.slice(1)]);
});

test.each([
  [
    'an unknown key',
    'model: x',
    '1:1: unknown key "model" (known here: models, tenants, workspace, skills, tools, mcp, databases, sealed, policies, principals, gateway)',
  ],
  [
    'an unknown key of a model',
    'models:\n  a: { provider: openai, model: m, temperature: 1 }',
    '2:36: models.a: unknown key "temperature"',
  ],
  [
    'a period without a limit',
    'tenants:\n  shop: { per: day }',
    '2:16: tenants.shop.per: says what maxCostUsd is for, and there is none',
  ],
  ['an unknown period', 'tenants:\n  shop: { maxCostUsd: 1, per: week }', '2:31: tenants.shop.per'],
  ['an unknown provider', 'models:\n  a: { provider: acme, model: m }', '2:18: models.a.provider'],
  ['a bad name', 'models:\n  A: { provider: openai, model: m }', 'models.A: a name is'],
  [
    'a missing address',
    'models:\n  a: { provider: openai-compatible, model: m }',
    '2:6: models.a: an openai-compatible model needs baseUrl',
  ],
  [
    'an unknown fallback',
    'models:\n  a: { provider: openai, model: m, fallback: [z] }',
    '2:47: models.a.fallback[0]: no model is named "z"',
  ],
  ['one fallback too many', withFallbacks(nine), '2:46: models.a.fallback: at most 8 fallbacks'],
  ['a secret in the file', 'models:\n  a: { provider: openai, model: m, apiKey: sk-1 }', '2:44: models.a.apiKey'],
])('%s is refused with its place', (_what, yaml, expected) => {
  expect(() => load(yaml)).toThrow(expected);
});

test.each([
  [{ HOLDFAST_ENCRYPTION_KEY: 'k' }, 'does not encrypt'],
  [{ HOLDFAST_CONFIG: 'none.yaml' }, 'cannot read'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"'],
  [{ HOLDFAST_OBJECT_STORE: 's3://bucket' }, 'HOLDFAST_OBJECT_STORE'],
  [{ HOLDFAST_MODEL_BASE_URL: 'http://x' }, 'HOLDFAST_MODEL is not'],
  [{ HOLDFAST_MODEL_BASE_URL: 'http://x', HOLDFAST_MODEL: '' }, 'HOLDFAST_MODEL is not'],
])('%j is refused', (env, expected) => {
  expect(() => load(undefined, env)).toThrow(expected);
});

test('M9 with servers of its own an installation may have many hosts, embedded it has one, and a file may say otherwise', () => {
  const cwd = folderWith();
  const env = { DATABASE_URL: 'postgres://db/holdfast', TEMPORAL_ADDRESS: 'temporal:7233' };
  expect(loadConfig({ cwd, env }).workspace.hosts).toBe('many');
  expect(loadConfig({ cwd, env: { ...env, HOLDFAST_SINGLE_USER: 'yes' } }).workspace.hosts).toBe('one');
  const said = folderWith('workspace: { hosts: one }');
  expect(loadConfig({ cwd: said, env }).workspace.hosts).toBe('one');
});
