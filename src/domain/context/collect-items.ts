import type { ItemRows } from './item-rows';
import { approvalItems } from './items/approval-items';
import { changeItems } from './items/change-items';
import { contractItems } from './items/contract-items';
import { effectItems } from './items/effect-items';
import { evidenceItems } from './items/evidence-items';
import { failureItems } from './items/failure-items';
import { placeText } from './items/place-text';
import { pointerItems } from './items/pointer-items';
import { promiseItems } from './items/promise-items';
import { itemKinds, type ProtectedItem } from './protected-item';
import { tellable } from './tellable';

/**
 * The protected items of an attempt (R13.2), a function of its rows alone: no model has a say in what they are. In the
 * order of `itemKinds`, and within a kind oldest first; ids are unique. What a check found of which nothing may come back (R3.4) is no item, whoever found it.
 */
export function collectItems(rows: ItemRows): readonly ProtectedItem[] {
  const own = [
    ...contractItems(rows.contract),
    ...evidenceItems(rows.evidence, rows.contract),
    ...effectItems(rows.effects),
    ...promiseItems(rows.taskState),
    ...approvalItems(rows.approvals),
    ...changeItems(rows.changes),
    ...failureItems(rows.calls, new Set(rows.approvals.map(placeText))),
    ...pointerItems(rows.calls, rows.uptoStep),
  ];
  const ids = new Set(own.map((item) => item.id));
  const inherited = (rows.inherited ?? []).filter((item) => !ids.has(item.id));
  const all = tellable([...inherited, ...own], rows.contract);
  return itemKinds.flatMap((kind) => all.filter((item) => item.kind === kind));
}
