import type { ItemEffect } from '../item-rows';
import type { ProtectedItem } from '../protected-item';
import { itemLine } from './item-line';
import { placeText } from './place-text';

/** Writes outside: what took effect, and what nobody knows yet. One that was never sent is no effect. */
export const effectItems = (effects: readonly ItemEffect[]): readonly ProtectedItem[] => effects.flatMap(effectItem);

function effectItem(effect: ItemEffect): readonly ProtectedItem[] {
  const said = says(effect);
  if (!said) return [];
  const source = placeText(effect);
  const { tool, target, downstreamId, outcome } = effect;
  const about = `${tool} on ${target}${downstreamId === null ? '' : ` (${downstreamId})`}`;
  const text = itemLine(`${about} ${said.words}${outcome ? `: ${outcome}` : ''}`);
  return [{ id: `effect/${source}`, kind: said.kind, text, source }];
}

/** What is known of a write, in words; undefined where it is no effect. */
export function says({
  phase,
}: Pick<ItemEffect, 'phase'>): { readonly kind: 'fact' | 'block'; readonly words: string } | undefined {
  switch (phase) {
    case 'CLAIMED':
      return undefined;
    case 'SENT':
    case 'UNKNOWN':
      return { kind: 'block', words: 'was sent and its outcome is not known: it may have taken effect' };
    case 'COMMITTED':
      return { kind: 'fact', words: 'took effect' };
    case 'NOT_COMMITTED':
      return { kind: 'fact', words: 'took no effect' };
    case 'COMPENSATED':
      return { kind: 'fact', words: 'took effect and was compensated' };
    case 'COMPENSATION_FAILED':
      return { kind: 'fact', words: 'took effect, and compensating it failed' };
  }
}
