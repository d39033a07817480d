import type { ItemChange } from '../item-rows';
import type { ProtectedItem } from '../protected-item';
import { placeText } from './place-text';

/** Files that the attempt changed. A path is never cut: it is how the file is found again. */
export const changeItems = (changes: readonly ItemChange[]): readonly ProtectedItem[] =>
  changes.map(({ path, status, action }) => ({
    id: `change/${path}`,
    kind: 'change',
    text: `${path} (${status})`,
    ...(action && { source: placeText(action) }),
  }));
