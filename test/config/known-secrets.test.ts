import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { knownSecrets } from '../../src/config/known-secrets';
import { tempFolder } from '../support/temp-folder';

function secretsOf(file: object, env: NodeJS.ProcessEnv): readonly string[] {
  const cwd = tempFolder('holdfast-secrets-');
  writeFileSync(join(cwd, 'holdfast.yaml'), JSON.stringify(file));
  return [...knownSecrets(loadConfig({ cwd, env }))].sort();
}

test('R10.4 secrets are known by configuration, by the name of a variable or of a header, and in addresses', () => {
  const file = {
    models: {
      default: {
        provider: 'openai-compatible',
        model: 'm',
        baseUrl: 'http://127.0.0.1:1/v1',
        apiKey: { env: 'MINE' },
        headers: { 'X-Auth': 'of-a-header', 'X-Step': '{step}' },
      },
    },
    databases: { sales: { url: { env: 'SALES' } }, orders: { file: 'orders.sqlite' } },
    mcp: {
      shop: { command: 'node', env: { TOKEN: { env: 'SHOP' }, REGION: 'eu' } },
      wiki: { url: 'https://wiki.example/mcp', headers: { Authorization: { env: 'WIKI' } } },
    },
  };
  const env = {
    MINE: 'of-the-model',
    SHOP: 'of-the-shop',
    WIKI: 'of-the-wiki',
    SALES: 'postgres://reader:of-the-sales@db.example/sales',
    BANK_API_KEY: 'of-the-bank',
    smtp_password: 'of-the-post',
    DATABASE_URL: 'postgres://ana:p%40ss@db.example/x',
    PLAIN: 'https://docs.example/a',
    HOME: '/home/ana',
    EMPTY_TOKEN: '',
  };
  expect(secretsOf(file, env)).toEqual(
    [
      'of-a-header',
      'of-the-bank',
      'of-the-model',
      'of-the-post',
      'of-the-sales',
      'postgres://reader:of-the-sales@db.example/sales',
      'of-the-shop',
      'of-the-wiki',
      'p%40ss',
      'p@ss',
    ].sort(),
  );
});

test('R10.4 a variable that is not set is no secret', () => {
  expect(secretsOf({ mcp: { shop: { command: 'node', env: { TOKEN: { env: 'SHOP' } } } } }, {})).toEqual([]);
});
