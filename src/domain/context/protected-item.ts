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

/** Kinds that are shown whatever they cost; of the others, what has no room is listed as left and can be recalled. */
const alwaysShown: Readonly<Record<ItemKind, boolean>> = {
  goal: true,
  revision: true,
  constraint: true,
  fact: false,
  promise: true,
  block: true,
  change: false,
  failed: false,
  decision: false,
  pointer: false,
};
export const mayBeLeft = (kind: ItemKind): boolean => !alwaysShown[kind];
