import type { Pool } from 'pg';
import type { Contract, Criterion } from '../../src/domain/contract/contract';
import { SealBrokenError } from '../../src/ledger/hold-seal';
import { readSealed } from '../../src/ledger/read-sealed';
import { startAttempt } from '../../src/ledger/start-attempt';
import { unsealTest } from '../../src/ledger/unseal-test';
import { contract, end, freshLedger, startRequest } from './support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

const final: Criterion = { id: 'final', check: 'command', run: 'sh final.sh', sealed: true };
const fresh: Criterion = { id: 'fresh', check: 'command', run: 'sh fresh.sh', sealed: true };
const under = (...acceptance: readonly Criterion[]): Contract => ({ ...contract, acceptance });
const start = (task: string, body: Contract, again = false) =>
  startAttempt(pool, { ...startRequest({ task, contract: body }), again });
const unseal = (task: string, criterion = 'final') =>
  unsealTest(pool, { tenant: 'default', task, criterion, by: 'ana', reason: 'It was wrong.' });
const acts = async (task: string) =>
  (
    await pool.query('select act, criterion, by_name, reason, contract_version from sealed_acts where task = $1', [
      task,
    ])
  ).rows;

test('R3.4 an unsealed test is a check in a new version of the contract, with a row that says who and why, once', async () => {
  const { attempt } = await start('one', under(final));
  await end(pool, attempt.ref, 'FAILED', 'failed');
  expect(await unseal('one')).toEqual({ kind: 'unsealed', version: 2 });
  expect(await unseal('one')).toEqual({ kind: 'known', version: 2 });
  expect(await acts('one')).toEqual([
    { act: 'unsealed', criterion: 'final', by_name: 'ana', reason: 'It was wrong.', contract_version: 2 },
  ]);
  const { rows } = await pool.query("select body from contracts where task = 'one' and version = 2");
  expect(rows[0].body.acceptance).toEqual([{ id: 'final', check: 'command', run: 'sh final.sh' }]);
});

test('R3.4 after that the task starts only with a sealed test of other content', async () => {
  const { attempt } = await start('two', under(final));
  await end(pool, attempt.ref, 'FAILED', 'failed');
  await unseal('two');
  const { sealed: _, ...open } = final;
  for (const refused of [under(final), under({ ...final, id: 'renamed' }, fresh), under(open), under()])
    await expect(start('two', refused)).rejects.toThrow(SealBrokenError);
  const { rows } = await pool.query("select number from attempts where task = 'two'");
  expect(rows).toHaveLength(1);
  expect(await start('two', under(open, fresh))).toMatchObject({ kind: 'created', attempt: { ref: { id: 'two/2' } } });
});

test('R3.4 nothing is unsealed that may yet judge, that is not sealed, or that is not there', async () => {
  expect(await unseal('nowhere')).toEqual({ kind: 'no_task' });
  const { attempt } = await start('three', under(final));
  expect(await unseal('three')).toEqual({ kind: 'running', attempts: ['three/1'] });
  await end(pool, attempt.ref, 'FAILED', 'failed');
  expect(await unseal('three', 'other')).toEqual({ kind: 'not_sealed', sealed: ['final'] });
  expect(await acts('three')).toEqual([]);
});

test('R3.4 other tasks start as before', async () => {
  expect(await start('four', under())).toMatchObject({ kind: 'created' });
});

test('R3.4 whoever reads what a sealed test found leaves a row', async () => {
  const { attempt } = await start('five', under(final));
  const { key } = attempt.ref;
  const auditor = { criterion: 'final', by: 'eve', reason: 'A dispute.' };
  const of = { tenant: 'default', task: 'five', key };
  expect(await readSealed(pool, of, auditor)).toEqual([]);
  expect(await acts('five')).toEqual([]);
  await pool.query(
    'insert into sealed_evidence (attempt, candidate, criterion, body) values ($1, 1, \'final\', \'{"output":"x"}\')',
    [key],
  );
  expect(await readSealed(pool, of, auditor)).toEqual([
    { candidate: 1, at: expect.any(String), body: { output: 'x' } },
  ]);
  expect(await acts('five')).toMatchObject([{ act: 'read', criterion: 'final', by_name: 'eve', reason: 'A dispute.' }]);
});
