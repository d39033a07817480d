import { itemLine } from './items/item-line';
import { readPointer } from './pointer';
import { type ItemKind, isSaid, type ProtectedItem } from './protected-item';

/** What a new attempt's own rows say, or what bound only the old one. */
const staysBehind: Readonly<Record<ItemKind, boolean>> = {
  goal: true,
  revision: false,
  constraint: true,
  fact: false,
  promise: true,
  block: false,
  change: false,
  failed: false,
  decision: false,
  pointer: false,
};

/** The newest things that the ancestor's user said; they are shown for good, so their number is bounded and the others counted. */
const messagesMax = 30;

/**
 * What an attempt knows of its ancestor (R12.3): the ancestor's items, pointing to the ancestor's record, and what its user
 * said. Goal, constraints and plan are left to the attempt's own rows, and so is a question to a person, which only the
 * ancestor could use an answer to; an effect that nobody knows the outcome of stays a block.
 */
export function inheritItems(
  items: readonly ProtectedItem[],
  attempt: string,
  messages: readonly { readonly ordinal: number; readonly text: string }[],
): readonly ProtectedItem[] {
  const said = messages.slice(-messagesMax).map(
    ({ ordinal, text }): ProtectedItem => ({
      id: `revision/input/${attempt}/${ordinal}`,
      kind: 'revision',
      text: itemLine(text),
      source: `${attempt}/input/${ordinal}`,
    }),
  );
  const kept = items.filter(({ id, kind }) => {
    if (kind === 'revision') return isSaid(id);
    return !staysBehind[kind] && !id.startsWith('block/');
  });
  return [
    ...earlier(messages.slice(0, -messagesMax), attempt),
    ...said,
    ...kept.map((item) => ofAncestor(item, attempt)),
  ];
}

/** How many messages are not shown, and where they are: shown for good itself, since no list of the ancestor has it. */
function earlier(messages: readonly { readonly ordinal: number }[], attempt: string): readonly ProtectedItem[] {
  const [first, last] = [messages.at(0), messages.at(-1)];
  if (!first || !last) return [];
  const [from, upto] = [`${attempt}/input/${first.ordinal}`, `${attempt}/input/${last.ordinal}`];
  const text = `${messages.length} earlier messages, which recall reads one by one: the first is ${from}, the last ${upto}`;
  return [{ id: `revision/input/${attempt}/${first.ordinal}`, kind: 'revision', text, source: from }];
}

/** The item with pointers that mean the same from without that attempt. */
export function ofAncestor(item: ProtectedItem, attempt: string): ProtectedItem {
  const [kind = '', ...rest] = item.id.split('/');
  const place = rest.join('/');
  const id = isOwnPlace(place) && kind !== 'fact' && kind !== 'change' ? `${kind}/${attempt}/${place}` : item.id;
  const { source } = item;
  return source !== undefined && isOwnPlace(source) ? { ...item, id, source: `${attempt}/${source}` } : { ...item, id };
}

/** Of an item that was inherited already, the place names its attempt. */
function isOwnPlace(text: string): boolean {
  const pointer = readPointer(text);
  return pointer !== undefined && pointer.to !== 'list' && pointer.to !== 'item' && pointer.attempt === undefined;
}
