import { join } from 'node:path';
import { databaseChecks } from '../../src/cli/database-checks';
import type { DatabaseConfig } from '../../src/databases/database-config';
import { sqliteFile } from '../support/test-databases';

test('doctor asks each database, and says of one that does not answer where to look', async () => {
  const databases: Record<string, DatabaseConfig> = {
    orders: { kind: 'sqlite', file: sqliteFile('create table t (a)') },
    text: { kind: 'sqlite', file: __filename },
    away: { kind: 'postgres', url: () => 'postgres://nobody@127.0.0.1:1/none' },
  };
  const checks = databaseChecks({ databases }, ['-r', join(__dirname, '../support/register-swc.cjs')]);
  const found = await Promise.all(checks.map(async ({ name, run }) => ({ name, ...(await run()) })));
  expect(found).toMatchObject([
    { name: 'database orders', ok: true },
    {
      name: 'database text',
      ok: false,
      found: expect.stringContaining('cannot be read'),
      fix: expect.stringContaining('databases.text'),
    },
    { name: 'database away', ok: false, found: expect.stringContaining('cannot be reached') },
  ]);
});
