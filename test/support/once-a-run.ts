import { administer } from './administer';
import { testStack } from './stack';

/** Any number that nobody else locks in the database of the stack's administrator. */
const lockNumber = 1_921;

/**
 * Makes what all files of a jest run share, in the first worker that asks for it; the others wait, and find it. A maker that
 * fails or dies leaves the lock to the next one, so `make` must leave nothing half done that `isThere` would take for whole.
 */
export async function onceARun(isThere: () => Promise<boolean>, make: () => Promise<void>): Promise<void> {
  if (await isThere()) return;
  const { adminDatabaseUrl } = await testStack();
  await administer(adminDatabaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [lockNumber]);
    if (!(await isThere())) await make();
  });
}
