import type { Pool } from 'pg';
import { startAttempt } from '../../src/ledger/start-attempt';
import { contract, end, freshLedger, startRequest } from './support/ledger';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await freshLedger());
});
afterAll(() => close());

const begin = (task: string, change: Parameters<typeof startRequest>[0] = {}) =>
  startAttempt(pool, startRequest({ task, attempts: 3, ...change }));
const ids = (outcome: Awaited<ReturnType<typeof begin>>) =>
  outcome.kind === 'refused' ? outcome.differs : outcome.race?.map(({ ref }) => ref.id);

test('R15.1 attempts side by side are begun by one start, which finds them again, also by many at once and after some have ended', async () => {
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => begin('three')));
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  for (const outcome of outcomes) expect(ids(outcome)).toEqual(['three/1', 'three/2', 'three/3']);

  const [first] = (outcomes[0]?.kind !== 'refused' && outcomes[0]?.race) || [];
  expect(first?.snapshot.race).toEqual({ first: 1, of: 3 });
  if (first) await end(pool, first.ref, 'FAILED', 'failed');
  const again = await begin('three');
  expect(again.kind).toBe('running');
  expect(ids(again)).toEqual(['three/1', 'three/2', 'three/3']);
});

test('R15.1 another number than those that run is refused, and more of them are begun beside', async () => {
  await begin('two', { attempts: 2 });
  expect(ids(await begin('two'))).toBe('attempts');
  expect(ids(await startAttempt(pool, startRequest({ task: 'two' })))).toBe('attempts');
  expect(ids(await begin('two', { contract: { ...contract, goal: 'Something else.' } }))).toBe('contract');
  expect(ids(await begin('two', { beside: true }))).toEqual(['two/3', 'two/4', 'two/5']);

  await startAttempt(pool, startRequest({ task: 'alone' }));
  expect(ids(await begin('alone'))).toBe('attempts');
});

test('R15.1 all of them are there, or none', async () => {
  let made = 0;
  const missing = {
    ...startRequest().snapshot,
    get flow(): number {
      made += 1;
      if (made > 2) throw new Error('died here');
      return 1;
    },
  };
  await expect(begin('none', { snapshot: missing })).rejects.toThrow('died here');
  const { rows } = await pool.query(
    "select from attempts where task = 'none' union all select from races where task = 'none'",
  );
  expect(rows).toEqual([]);
});
