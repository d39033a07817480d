import type { FailureClass } from './failure';

/**
 * Why another system said no, in the word that a tool says it with (R8.2): its class, and what the model may do where the
 * tool says nothing better.
 */
// biome-ignore format: a table is read by its columns
export const refusals = {
  business:    { class: 'tool_business',  next: 'Change what you ask for, or go another way.' },
  argument:    { class: 'tool_argument',  next: 'Correct the arguments and call it again.' },
  conflict:    { class: 'state_conflict', next: 'Look at what is there now, then decide anew.' },
  credentials: { class: 'unrecoverable',  next: 'The operator has to give the tool credentials that the other side takes.' },
  busy:        { class: 'tool_transient', next: 'Try again later, or go on without it.' },
} as const satisfies Record<string, { readonly class: FailureClass; readonly next: string }>;
export type RefusalReason = keyof typeof refusals;

export const isRefusalReason = (word: unknown): word is RefusalReason =>
  typeof word === 'string' && Object.hasOwn(refusals, word);

/** A wait as another system asks for it, ms; undefined for what is none. */
export const askedWaitMs = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined;
