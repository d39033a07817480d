/**
 * What a compacted view may never lose (R13.2): a record with an id of its own, made from ledger rows by code and never by
 * a model.
 *
 *   id                      of what
 *   goal                    the goal as the contract began with it
 *   revision/<k>            the k-th revision of the goal, from 0; revision/input/<ordinal>: what the user of an ancestor said
 *   constraint/<k>          the k-th constraint or prohibition of the contract, from 0
 *   fact/<criterion>        what the newest check of a criterion found
 *   effect/<action>         a write outside: a fact where its outcome is known, a block where it is not
 *   promise/<plan step>     a step of the plan that is neither done nor dropped
 *   block/<action>          a request for approval that nobody has answered
 *   change/<path>           a file that differs from where the attempt began
 *   failed/<action>         a call that failed, newest of its kind, and how often
 *   decision/<action>       a person's or the policy's answer to what an action asked for
 *   pointer/s<a>-s<b>       steps that are not shown, and what they were; pointer/<attempt>/<list>: an ancestor's list of items
 *
 * `<action>` is `s<step>.a<index>`, behind `<attempt>/` where it is an ancestor's.
 */
export const itemKinds = [
  'goal',
  'revision',
  'constraint',
  'fact',
  'promise',
  'block',
  'change',
  'failed',
  'decision',
  'pointer',
] as const;
export type ItemKind = (typeof itemKinds)[number];

export interface ProtectedItem {
  readonly id: string;
  readonly kind: ItemKind;
  readonly text: string;
  /** Where `recall` finds the original; a pointer as pointer.ts reads it. */
  readonly source?: string;
}

/** Of an item that is a user's own words, of an attempt before this one, and stands in no contract. */
export const isSaid = (id: string): boolean => id.startsWith('revision/input/');

/**
 * Kinds of which some may be left out of a view, and the list under which `recall` shows every item of the kind. In the order
 * in which they are given room. What is not here binds the work, and is shown whatever it costs.
 */
export const listPointers = {
  fact: 'facts',
  failed: 'failed',
  decision: 'decisions',
  change: 'changes',
  pointer: 'steps',
} as const satisfies Partial<Record<ItemKind, string>>;
export type LeavableKind = keyof typeof listPointers;
export const leavableKinds = Object.keys(listPointers) as readonly LeavableKind[];

export const mayBeLeft = (kind: ItemKind): kind is LeavableKind => Object.hasOwn(listPointers, kind);
