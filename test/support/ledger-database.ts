import { migrate } from '../../src/ledger/migrate';
import { administer } from './administer';
import { onceARun } from './once-a-run';
import { freshDatabase, type OwnDatabase, testStack } from './stack';

/** The migrated database that the others are copies of; nobody connects to it. */
const template = 'ledger_template';
const noSuchDatabase = '3D000';

/** A database of one's own with the ledger's schema in it: a copy of one that is migrated once a jest run. */
export async function ledgerDatabase(): Promise<OwnDatabase> {
  try {
    return await freshDatabase(template);
  } catch (error) {
    if ((error as { code?: unknown }).code !== noSuchDatabase) throw error;
  }
  await makeTemplate();
  return await freshDatabase(template);
}

async function makeTemplate(): Promise<void> {
  const { adminDatabaseUrl } = await testStack();
  const isThere = async () =>
    await administer(adminDatabaseUrl, async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
      return rowCount === 1;
    });
  await onceARun(isThere, async () => {
    const { url } = await freshDatabase();
    await migrate(url);
    const name = new URL(url).pathname.slice(1);
    await administer(adminDatabaseUrl, async (client) => {
      await client.query(`alter database ${name} allow_connections false`);
      await client.query(`alter database ${name} rename to ${template}`); // by this name it is whole
    });
  });
}
