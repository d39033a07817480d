import { type EffectClass, type EffectPhase, idempotencyKey } from '../../../src/domain/effect/effect';
import type { JournalLine } from '../../examples/refund/support/shop';
import type { FaultWorld } from './fault-world';
import { groupBy } from './group-by';
import { keyOf, operationOf } from './journal';

interface EffectRow {
  tenant: string;
  key: string;
  generation: number;
  class: EffectClass;
  phase: EffectPhase;
  settled_by: string | null;
  downstream_id: string | null;
  task: string;
}
/** The shop makes these as often as it is asked to. */
const neverTwice: readonly EffectClass[] = ['probed', 'unsafe'];

export interface Disagreement {
  /** What it is about; a burst's begins with its task. */
  readonly operation: string;
  readonly what: string;
}

/**
 * The shop's journal beside the effect ledger, row by row; what does not agree, in words. Counted at the shop: each of
 * `operations` took effect once, nothing else did, and nothing was asked for twice that must not be.
 */
export async function compareBooks(world: FaultWorld, operations: readonly string[]): Promise<Disagreement[]> {
  const { rows } = await world.pool.query<EffectRow>(
    `select e.tenant, e.key, e.generation, e.class, e.phase, e.settled_by, e.downstream_id, a.task from effects e
       join attempts a on a.key = e.attempt order by e.claimed_at`,
  );
  const lines = world.shop.lines();
  const byKey = groupBy(lines, keyOf);
  const requests = groupBy(world.sends(), (key) => key);
  const wrong = countedWrong(lines, operations);
  for (const row of rows) {
    const key = idempotencyKey(row.tenant, row);
    const say = (what: string) => wrong.push({ operation: row.task, what: `${key} (${row.class}) ${what}` });
    const [line, ...more] = byKey.get(key) ?? [];
    byKey.delete(key);
    if (row.phase !== (line ? 'COMMITTED' : 'NOT_COMMITTED') || more.length > 0)
      say(`is ${row.phase} by ${row.settled_by}, and the shop has ${line ? 1 + more.length : 0} lines of it`);
    if (line && row.downstream_id && !row.downstream_id.endsWith(`-${line.seq}`))
      say(`is ${row.downstream_id} here, and line ${line.seq} at the shop`);
    const asked = requests.get(key)?.length ?? 0;
    if (neverTwice.includes(row.class) && asked > 1) say(`was asked for ${asked} times`);
  }
  for (const key of byKey.keys())
    wrong.push({ operation: key, what: `the ledger has no row of ${key}, and the shop a line` });
  return wrong;
}

/** Whatever the ledger says. */
function countedWrong(lines: readonly JournalLine[], operations: readonly string[]): Disagreement[] {
  const done = groupBy(lines, operationOf);
  const times = (operation: string) => done.get(operation)?.length ?? 0;
  return [
    ...operations
      .filter((operation) => times(operation) !== 1)
      .map((operation) => ({ operation, what: `${operation} took effect ${times(operation)} times` })),
    ...[...done.keys()]
      .filter((operation) => !operations.includes(operation))
      .map((operation) => ({ operation, what: `nobody asked for ${operation}` })),
  ];
}
