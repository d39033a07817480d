import type { Contract } from '../../contract/contract';
import type { ProtectedItem } from '../protected-item';

/** The goal, what it was revised by, and its bounds; word for word. */
export function contractItems({ goal, revisions = [], constraints, forbidden }: Contract): readonly ProtectedItem[] {
  const bounds = [...constraints, ...forbidden.map((name) => `Forbidden: ${name}`)];
  return [
    { id: 'goal', kind: 'goal', text: goal },
    ...revisions.map((text, k): ProtectedItem => ({ id: `revision/${k}`, kind: 'revision', text })),
    ...bounds.map((text, k): ProtectedItem => ({ id: `constraint/${k}`, kind: 'constraint', text })),
  ];
}
