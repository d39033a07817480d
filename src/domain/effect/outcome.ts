import type { Effect, EffectPhase } from './effect';

/** What is known of one send of a generation: a try that reached SENT. */
export interface SentTry {
  readonly try: number;
  readonly execution: number;
  /** Proven to have taken no effect, by an answer of the other side that said no (E4). */
  readonly proven: boolean;
  /** When its try began, by the database's clock. */
  readonly at?: Date;
}

/** The sends of a generation but the one that is spoken of. */
export const othersOf = (sends: readonly SentTry[], one: Pick<SentTry, 'try' | 'execution'>): readonly SentTry[] =>
  sends.filter((sent) => sent.try !== one.try || sent.execution !== one.execution);

/** How one send went, as the tool says it. Anything that was thrown is no word about the effect (R4.5). */
export type SendWord = 'committed' | 'rejected' | 'thrown';

/**
 * The phase after a send (E4). `others`: the other sends of this generation. A refusal proves something about its own send
 * only; it settles the row where every other one has a proof too, or where the tool says that a refusal is final for the key.
 */
export function phaseAfter(word: SendWord, others: readonly SentTry[], rejectionIsFinalForKey: boolean): EffectPhase {
  switch (word) {
    case 'committed':
      return 'COMMITTED';
    case 'rejected':
      return rejectionIsFinalForKey || others.every((sent) => sent.proven) ? 'NOT_COMMITTED' : 'UNKNOWN';
    case 'thrown':
      return 'UNKNOWN';
  }
}

/** What a word from outside the owner's own answer does to a row (E4, E6): a late answer, a probe, a person. */
export type Settlement = { readonly kind: 'settles' } | { readonly kind: 'agrees' } | { readonly kind: 'conflict' };

export function settle(effect: Pick<Effect, 'phase'>, word: 'COMMITTED' | 'NOT_COMMITTED'): Settlement {
  switch (effect.phase) {
    case 'SENT':
    case 'UNKNOWN':
      return { kind: 'settles' };
    case 'CLAIMED':
      // Its answer comes after the row was taken over and before anybody sent: it was sent all the same.
      return word === 'COMMITTED' ? { kind: 'settles' } : { kind: 'agrees' };
    case 'COMMITTED':
    case 'COMPENSATED':
    case 'COMPENSATION_FAILED':
      return word === 'COMMITTED' ? { kind: 'agrees' } : { kind: 'conflict' };
    case 'NOT_COMMITTED':
      return word === 'NOT_COMMITTED' ? { kind: 'agrees' } : { kind: 'conflict' };
  }
}
