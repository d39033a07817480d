/**
 * When the past leaves the view, and how much of it (R13.2). Numbers of tokens are the estimator's; `ratio` says what they
 * are to the provider.
 *
 *   I1  Between two compactions the view only grows at its end, so the provider's prompt cache hits (R13.5).
 *   I2  The newest step always stays, and only whole steps leave (R13.4).
 *   I3  A view that is not full is left alone where the steps that could leave make up too little of it.
 */

/** Part of what the answer leaves of the context: a fuller view is compacted, while there is still room to do it in. */
const fullShare = 0.7;
/** What a compaction aims at, as part of the above: half, so that it is needed again only after as much has been added. */
const aimShare = 0.5;
/** More steps word for word are mostly tool output that the work has left behind, however large the context is. */
export const visibleStepsMax = 60;
/** Steps that stay word for word: those that the work is still about. */
export const keptStepsMax = 20;
/** Largest view after a compaction, by what it was before: a smaller gain is not worth the cache that it empties. */
export const shrinkShareMax = 0.8;
/** What is aimed at lies below that, since a summary is as long as its model makes it. */
const aimOfBefore = 0.7;
/** Of what fixed parts leave of the aim, for the steps that stay; the rest is the projection's. */
const stepsShare = 0.6;
/** Of the projection's part, for prose; the protected items get the rest. */
const summaryShare = 0.25;
/** A summary longer than this tells what the record tells better. Tokens. */
const summaryTokensMax = 2_000;
/** A summary with less room would say nothing. Tokens. */
const summaryTokensMin = 200;
/** Items are given this much however full the view is: what they say is what the work hangs on. Tokens. */
const itemTokensMin = 300;
/** A report of less usage than this, by the estimate, says nothing of the estimator: part of it was not counted. */
const ratioMin = 0.5;
/** Nor does one of more: no two tokenizers differ so much on one text. */
const ratioMax = 4;
/** Reported ÷ estimated prompt tokens, as far as it can be believed. */
export function believedRatio(reported: number, estimated: number): number {
  const ratio = reported / estimated;
  return ratio >= ratioMin && ratio <= ratioMax ? ratio : 1;
}

export interface CompactionFacts {
  /** Steps that are shown word for word, ascending, each with the inputs that go with it. */
  readonly steps: readonly { readonly step: number; readonly tokens: number }[];
  /** Everything else but the projection: system, tools, what the user said, the last message. */
  readonly fixedTokens: number;
  /** Of the projection that is installed; 0 without one. */
  readonly projectionTokens: number;
  readonly contextTokens: number;
  /** Kept for the answer. */
  readonly outputTokens: number;
  /** `believedRatio` of the newest answered try; 1 before the first. */
  readonly ratio: number;
  /** The provider found the view too long: a smaller one is made whatever was estimated. */
  readonly tight: boolean;
}
export type CompactionPlan =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'compact';
      /** Steps up to this one leave the view. */
      readonly uptoStep: number;
      /** Aim for the whole view. */
      readonly targetTokens: number;
      /** Room for the protected items that may be left out. */
      readonly itemTokens: number;
      /** Longest summary. */
      readonly summaryTokens: number;
    };

export function planCompaction(facts: CompactionFacts): CompactionPlan {
  const { steps, fixedTokens, projectionTokens, tight } = facts;
  const room = Math.max(0, facts.contextTokens - facts.outputTokens) / facts.ratio;
  const before = fixedTokens + projectionTokens + sum(steps);
  const full = before > room * fullShare;
  if (!tight && !full && steps.length <= visibleStepsMax) return { kind: 'none' };

  const aim = Math.min(room * fullShare * aimShare, before * aimOfBefore) * (tight ? 0.5 : 1);
  const left = Math.max(0, aim - fixedTokens);
  const kept = newestWithin(steps, left * stepsShare);
  const uptoStep = newestToLeave(facts, kept.length);
  if (uptoStep === undefined) return { kind: 'none' };
  if (!full && !tight && fixedTokens + itemTokensMin + sum(kept) > before * shrinkShareMax) return { kind: 'none' }; // I3
  const projectionRoom = Math.max(0, left - sum(kept));
  const summaryTokens = clamp(projectionRoom * summaryShare, summaryTokensMin, summaryTokensMax);
  const itemTokens = Math.max(itemTokensMin, Math.floor(projectionRoom - summaryTokens));
  return { kind: 'compact', uptoStep, targetTokens: Math.floor(aim), itemTokens, summaryTokens };
}

const sum = (steps: CompactionFacts['steps']) => steps.reduce((tokens, step) => tokens + step.tokens, 0);
const clamp = (value: number, min: number, max: number) => Math.floor(Math.min(Math.max(value, min), max));

/** Where all steps fit, it is the projection that is too long: it is made anew, and with it goes one step if there are two. */
function newestToLeave({ steps, projectionTokens }: CompactionFacts, kept: number): number | undefined {
  const last = steps[steps.length - kept - 1] ?? (steps.length > 1 ? steps[0] : undefined); // I2
  if (last) return last.step;
  const [only] = steps;
  return only && projectionTokens > 0 ? only.step - 1 : undefined;
}

/** The newest steps that fit; one at least. */
function newestWithin(steps: CompactionFacts['steps'], tokens: number): CompactionFacts['steps'] {
  let kept = 0;
  let used = 0;
  for (const step of steps.toReversed()) {
    used += step.tokens;
    if (kept === keptStepsMax || (kept > 0 && used > tokens)) break;
    kept += 1;
  }
  return steps.slice(steps.length - kept);
}
