import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOfChild, loadConfig } from '../../src/config';
import { tempFolder } from '../support/temp-folder';

function load(yaml: string, env: Record<string, string> = {}) {
  const cwd = tempFolder('holdfast-config-');
  writeFileSync(join(cwd, 'holdfast.yaml'), yaml);
  return { cwd, config: loadConfig({ cwd, env }) };
}
const servers = { databaseUrl: 'postgres://db/x', temporalAddress: '127.0.0.1:7233', namespace: 'default' };

test('R5.1 policy files are meant from the folder of the file that names them', () => {
  const { cwd, config } = load('policies: [policy/default.yaml, /etc/holdfast/shop.yaml]');
  expect(config.policy.files).toEqual([join(cwd, 'policy/default.yaml'), '/etc/holdfast/shop.yaml']);
  expect(load('models: {}').config.policy.files).toBeUndefined();
});

test('R5.5 principals have names and roles', () => {
  expect(load('principals: { ana: { roles: [finance] }, Ben@shop.example: {} }').config.policy.principals).toEqual([
    { name: 'ana', roles: ['finance'] },
    { name: 'Ben@shop.example', roles: [] },
  ]);
});

test("R5.5 an installation is one person's where all of it is embedded, and its worker knows", () => {
  const { config } = load('models: {}');
  expect(config.policy.singleUser).toBe(true);
  const env = environmentOfChild(config, servers);
  expect(loadConfig({ cwd: config.dataDir, env }).policy.singleUser).toBe(true);

  for (const named of [{ DATABASE_URL: 'postgres://db/x' }, { TEMPORAL_ADDRESS: 'temporal:7233' }]) {
    const shared = load('models: {}', named).config;
    expect(shared.policy.singleUser).toBe(false);
    expect(loadConfig({ cwd: shared.dataDir, env: environmentOfChild(shared, servers) }).policy.singleUser).toBe(false);
  }
});

test.each([
  ['no policy file', 'policies: []', '1:11: policies: names no file'],
  ['a policy file that is no path', 'policies: [{ id: a }]', '1:12: policies[0]'],
  [
    'a principal that would be a role',
    'principals: { "role:finance": {} }',
    '1:15: principals.role:finance: a name is letters',
  ],
  ['roles that are no list', 'principals: { ana: { roles: finance } }', '1:29: principals.ana.roles: expected array'],
  [
    'a role that is no name',
    'principals: { ana: { roles: ["the boss"] } }',
    '1:30: principals.ana.roles[0]: a name is letters',
  ],
  [
    'another key of a principal',
    'principals: { ana: { role: finance } }',
    '1:22: principals.ana: unknown key "role" (known here: roles)',
  ],
])('R5.5 %s is refused with its place', (_what, yaml, expected) => {
  expect(() => load(yaml)).toThrow(expected);
});
