import { forges } from './forgeries';
import { shrinkShareMax } from './plan-compaction';
import type { Projection } from './projection';
import { listPointers, mayBeLeft, type ProtectedItem } from './protected-item';

/**
 * Whether a projection may take the place of what it stands for (R13.4), decided from facts alone.
 *
 *   I1  No call is shown without its result, nor a result without its call: whole steps leave, and all of them answered.
 *   I2  It was made under the contract and the policy in force.
 *   I3  Each protected item stands in it word for word, or is listed as left and was retrieved to prove that it can be.
 *       What binds the work (mayBeLeft) stands in it.
 *   I4  Nothing is added: no item that the ledger does not know, and no prose that could pass for the runtime's words, a
 *       call or the result of one.
 *   I5  It makes the view really smaller.
 */
export interface ProjectionFacts {
  readonly contractVersion: number;
  readonly policy: string;
  /** What collectItems makes of the rows up to `uptoStep`. */
  readonly items: readonly ProtectedItem[];
  /** All steps of the attempt, ascending: their calls, and how many of these have an observation. */
  readonly steps: readonly { readonly step: number; readonly callIds: readonly string[]; readonly observed: number }[];
  /** Steps that no view shows word for word now; 0 without a projection. */
  readonly installedUptoStep: number;
  /** Ids of items whose text `recall` gave back, as it stands in `items`. */
  readonly retrieved: ReadonlySet<string>;
  /** How the model's answer ended; null where no model was asked. */
  readonly finish: 'complete' | 'cut' | null;
  /** Of the whole view, with the installed projection and with this one. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export const faultCodes = [
  'HALF_HIDDEN',
  'NO_STEP_END',
  'WENT_BACK',
  'CONTRACT_VERSION',
  'POLICY_VERSION',
  'ITEM_MISSING',
  'ITEM_CHANGED',
  'ITEM_INVENTED',
  'ITEM_NOT_RETRIEVED',
  'LEFT_MISCOUNTED',
  'SUMMARY_EMPTY',
  'SUMMARY_CUT',
  'SUMMARY_FORGES',
  'NOT_SMALLER',
] as const;
export type FaultCode = (typeof faultCodes)[number];
export interface ProjectionFault {
  readonly code: FaultCode;
  /** The first of the items that it is about, by id. */
  readonly items?: readonly string[];
}
export type ProjectionJudgement =
  | { readonly ok: true }
  | { readonly ok: false; readonly faults: readonly ProjectionFault[] };

/** Of a fault, items that are named: it goes into an event. */
const itemsNamedMax = 10;

export function validateProjection(projection: Projection, facts: ProjectionFacts): ProjectionJudgement {
  const faults = [
    ...pairingFaults(projection, facts),
    ...versionFaults(projection, facts),
    ...itemFaults(projection, facts),
    ...leftFaults(projection, facts),
    ...summaryFaults(projection, facts),
    ...sizeFaults(projection, facts),
  ];
  return faults.length === 0 ? { ok: true } : { ok: false, faults };
}

/** I1 */
function pairingFaults({ uptoStep }: Projection, { steps, installedUptoStep }: ProjectionFacts): ProjectionFault[] {
  const faults: ProjectionFault[] = [];
  if (uptoStep < installedUptoStep) faults.push({ code: 'WENT_BACK' });
  if (uptoStep > 0 && !steps.some(({ step }) => step === uptoStep)) faults.push({ code: 'NO_STEP_END' });
  const open = steps.find(({ step, callIds, observed }) => step <= uptoStep && observed !== callIds.length);
  if (open) faults.push({ code: 'HALF_HIDDEN', items: [`s${open.step}`] });
  return faults;
}

/** I2 */
function versionFaults(projection: Projection, facts: ProjectionFacts): ProjectionFault[] {
  const faults: ProjectionFault[] = [];
  if (projection.contractVersion !== facts.contractVersion) faults.push({ code: 'CONTRACT_VERSION' });
  if (projection.policy !== facts.policy) faults.push({ code: 'POLICY_VERSION' });
  return faults;
}

/** I3, I4 */
function itemFaults({ items, left }: Projection, facts: ProjectionFacts): ProjectionFault[] {
  const shown = new Map(items.map((item) => [item.id, item]));
  const known = new Set(facts.items.map((item) => item.id));
  const listed = new Set(left.map(({ kind }) => kind));
  const missing: string[] = [];
  const changed: string[] = [];
  const lost: string[] = [];
  for (const item of facts.items) {
    const found = shown.get(item.id);
    if (found) {
      if (!isSame(found, item)) changed.push(item.id);
    } else if (!mayBeLeft(item.kind) || !listed.has(item.kind)) missing.push(item.id);
    else if (!facts.retrieved.has(item.id)) lost.push(item.id);
  }
  const invented = [...shown.keys()].filter((id) => !known.has(id));
  if (shown.size < items.length) invented.push('the same item twice');
  return [
    ...about('ITEM_MISSING', missing),
    ...about('ITEM_CHANGED', changed),
    ...about('ITEM_INVENTED', invented),
    ...about('ITEM_NOT_RETRIEVED', lost),
  ];
}

const isSame = (a: ProtectedItem, b: ProtectedItem) => a.kind === b.kind && a.text === b.text && a.source === b.source;

const about = (code: FaultCode, ids: readonly string[]): ProjectionFault[] =>
  ids.length === 0 ? [] : [{ code, items: ids.slice(0, itemsNamedMax) }];

/** I3: what is said to be left is what is left, under the pointer that lists it. */
function leftFaults({ items, left }: Projection, facts: ProjectionFacts): ProjectionFault[] {
  const shown = new Set(items.map((item) => item.id));
  const wrong = left.filter(({ kind, count, pointer }, index) => {
    const hidden = facts.items.filter((item) => item.kind === kind && !shown.has(item.id)).length;
    const isTwice = left.findIndex((one) => one.kind === kind) !== index;
    return isTwice || hidden !== count || !mayBeLeft(kind) || pointer !== listPointers[kind];
  });
  return about(
    'LEFT_MISCOUNTED',
    wrong.map(({ kind }) => kind),
  );
}

/** I4 */
function summaryFaults({ madeBy, summary }: Projection, { steps, finish }: ProjectionFacts): ProjectionFault[] {
  if (madeBy !== 'summary') return summary === '' ? [] : [{ code: 'SUMMARY_FORGES' }];
  const faults: ProjectionFault[] = [];
  if (summary.trim() === '') faults.push({ code: 'SUMMARY_EMPTY' });
  if (finish !== 'complete') faults.push({ code: 'SUMMARY_CUT' });
  const calls = new Map(steps.map(({ step, callIds }) => [step, callIds.length]));
  const callIds = new Set(steps.flatMap((step) => step.callIds));
  if (forges(summary, { callsOf: (step) => calls.get(step), callIds })) faults.push({ code: 'SUMMARY_FORGES' });
  return faults;
}

/** I5. What a new attempt inherits takes the place of nothing. */
function sizeFaults({ madeBy }: Projection, { tokensBefore, tokensAfter }: ProjectionFacts): ProjectionFault[] {
  return madeBy !== 'inherited' && tokensAfter > tokensBefore * shrinkShareMax ? [{ code: 'NOT_SMALLER' }] : [];
}
