import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { tempFolder } from '../support/temp-folder';

function load(databases: object, env: Readonly<Record<string, string>> = {}) {
  const cwd = tempFolder('holdfast-databases-');
  writeFileSync(join(cwd, 'holdfast.yaml'), JSON.stringify({ databases }));
  return { cwd, config: () => loadConfig({ cwd, env }) };
}

test('R3.3 a file is looked for from the folder of holdfast.yaml; an address is read from its variable at each use', () => {
  const env: Record<string, string> = {};
  const { cwd, config } = load(
    { orders: { file: 'data/orders.sqlite', timeoutMs: 5 }, sales: { url: { env: 'SALES' } } },
    env,
  );
  const { orders, sales } = config().databases;
  expect(orders).toEqual({ kind: 'sqlite', file: join(cwd, 'data/orders.sqlite'), timeoutMs: 5 });
  if (sales?.kind !== 'postgres') throw new Error('no address');
  expect(sales.url()).toBeUndefined();
  env['SALES'] = 'postgres://db.example/sales';
  expect(sales.url()).toBe('postgres://db.example/sales');
});

test.each([
  ['neither', {}, 'a database has either url or file'],
  ['both', { file: 'a', url: { env: 'A' } }, 'a database has either url or file'],
  ['an address in the file', { url: 'postgres://ana:secret@db/x' }, 'url'],
  ['no time', { file: 'a', timeoutMs: 0 }, 'timeoutMs'],
])('a database with %s is refused', (_what, database, expected) => {
  expect(load({ sales: database }).config).toThrow(expected);
});
