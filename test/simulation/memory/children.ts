import type { AttemptRow, ChildRow, NewChild } from '../../../src/activities/ledger-port';
import type { AttemptRef } from '../../../src/protocol/ids';
import { newAttempt } from './new-attempt';
import { attemptTables } from './reads';
import { type AttemptTables, placeKey, type Tables } from './tables';

/** Those that run, or whose end was not observed. */
export function openChildren(tables: Tables, own: AttemptTables): readonly ChildRow[] {
  return [...own.children.values()]
    .sort((a, b) => a.step - b.step || a.index - b.index)
    .flatMap(({ child, ...row }) => {
      const { ref, ended } = attemptTables(tables, child).head.row;
      return ended && own.observations.has(placeKey(row.step, row.index)) ? [] : [{ ...row, ref, ended }];
    });
}

export function childNamed(tables: Tables, { key }: AttemptRef, id: string): AttemptRef | undefined {
  const children = [...attemptTables(tables, key).children.values()];
  return children.map(({ child }) => attemptTables(tables, child).head.row.ref).find((ref) => ref.id === id);
}

export const liveUnder = (tables: Tables, root: number): number =>
  [...tables.attempts.values()].filter(({ head: { row } }) => row.child?.root === root && !row.ended).length;

/** Its rows, which the commit of its parent stores. */
export function newChild(
  tables: Tables,
  { task, start, contract, limits, origin }: NewChild,
  { ref, startedBy, versions, tainted }: AttemptRow,
): { readonly ref: AttemptRef; readonly own: AttemptTables } {
  const whose = { tenant: ref.tenant, by: startedBy, versions, tainted, child: origin };
  return newAttempt(tables, { ...whose, task, contract, limits, input: contract.goal, snapshot: start });
}
