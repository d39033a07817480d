import type { Contract } from './contract';

/** It stands in the model's view at every step from here on; what needs more belongs in a file that it names. */
const revisionMaxChars = 4_000;
/** With more than a handful, nobody can say any more what the goal is; a task of its own can. */
const revisionsMax = 20;

export type RevisedGoal =
  | { readonly ok: true; readonly contract: Contract }
  /** In words for whoever revises it. */
  | { readonly ok: false; readonly why: string };

/** The next version of a contract: its goal stands, the revision is added, and nothing else changes (R1.2). */
export function reviseGoal(contract: Contract, text: string): RevisedGoal {
  const { revisions = [] } = contract;
  if (text.length > revisionMaxChars)
    return no(`A revision of the goal has at most ${revisionMaxChars} characters, and this one ${text.length}.`);
  if (revisions.length >= revisionsMax)
    return no(`The goal was revised ${revisionsMax} times already; start another task with the goal as it is now.`);
  return { ok: true, contract: { ...contract, revisions: [...revisions, text] } };
}

const no = (why: string): RevisedGoal => ({ ok: false, why });
