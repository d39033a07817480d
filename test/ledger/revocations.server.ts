import type { Pool } from 'pg';
import { listRevocations, revoke } from '../../src/ledger/effects/revocations';
import { freshLedger } from './support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

test('R4.9 revocations of a tenant are listed in the order in which they were made, with who and why', async () => {
  const first = { kind: 'tool', value: 'create_refund', reason: 'Wrong amounts.', by: 'ana' } as const;
  const second = { kind: 'principal', value: 'ben', reason: 'Left.', by: 'ana' } as const;
  await revoke(pool, 'default', first);
  await revoke(pool, 'other', { ...first, value: 'theirs' });
  await revoke(pool, 'default', second);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(await listRevocations(pool, 'default')).toEqual([
    { ...first, at },
    { ...second, at },
  ]);
});

test('R4.9 a revocation cannot be changed or taken back by the application', async () => {
  await expect(pool.query('delete from revocations')).rejects.toThrow('permission denied');
  await expect(pool.query(`update revocations set value = 'x'`)).rejects.toThrow('permission denied');
});
