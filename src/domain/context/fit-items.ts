import type { Projection } from './projection';
import { leavableKinds, listPointers, mayBeLeft, type ProtectedItem } from './protected-item';
import { itemText } from './render-projection';

/**
 * Which items are shown where their room is bounded (R13.2). Those that bind the work are, whatever they cost; of each
 * other kind the newest that fit, and how many were left.
 */
export function fitItems(
  items: readonly ProtectedItem[],
  roomTokens: number,
  count: (text: string) => number,
): Pick<Projection, 'items' | 'left'> {
  const shown = new Set(items.filter((item) => !mayBeLeft(item.kind)));
  let free = roomTokens;
  // Each kind takes half of what is free at first, so that none leaves nothing for the next.
  for (const share of [0.5, 1]) {
    for (const kind of leavableKinds) {
      let room = free * share;
      for (const item of items.filter((one) => one.kind === kind && !shown.has(one)).toReversed()) {
        const cost = count(itemText(item)) + 1;
        if (cost > room) break;
        shown.add(item);
        room -= cost;
        free -= cost;
      }
    }
  }
  const left = leavableKinds.flatMap((kind) => {
    const hidden = items.filter((item) => item.kind === kind && !shown.has(item)).length;
    return hidden === 0 ? [] : [{ kind, count: hidden, pointer: listPointers[kind] }];
  });
  return { items: items.filter((item) => shown.has(item)), left };
}
