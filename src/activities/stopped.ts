import type { Interrupted } from '../protocol/calls';
import type { Taken } from './take-messages';

/** The answer of a call that a message stopped before it did anything (M5); undefined where none did. A cancel goes first. */
export function stopped({ cancel, suspend }: Pick<Taken, 'cancel' | 'suspend'>): Interrupted | undefined {
  if (cancel) return { kind: 'interrupted' };
  return suspend ? { kind: 'interrupted', suspend: true } : undefined;
}
