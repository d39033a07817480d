import type { Projection } from '../projection';
import type { ProtectedItem } from '../protected-item';
import { headings } from '../render-projection';

/**
 * What an attempt was told of its ancestor (R12.3), as items of its own: those that were shown, and for those that had no room
 * the ancestor's lists of them.
 */
export function inheritedItems({ items, left }: Pick<Projection, 'items' | 'left'>): readonly ProtectedItem[] {
  const lists = left.map(
    ({ kind, count, pointer }): ProtectedItem => ({
      id: `pointer/${pointer}`,
      kind: 'pointer',
      text: `${count} more of "${headings[kind]}" are listed there`,
      source: pointer,
    }),
  );
  return [...items, ...lists];
}
