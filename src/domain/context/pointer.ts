import { type ItemKind, leavableKinds, listPointers } from './protected-item';

/**
 * What `recall` is asked for (R13.3): `s12` a step, `s12.a0` a call and its answer, `s1-s50` what these steps were,
 * `input/3` what the user said, `failed` and its like every item of a kind, anything else an item by its id. Behind
 * `<task>/<n>/` it is an ancestor's.
 */
export type Pointer = { readonly attempt?: string } & (
  | { readonly to: 'step'; readonly step: number }
  | { readonly to: 'action'; readonly step: number; readonly index: number }
  | { readonly to: 'steps'; readonly from: number; readonly upto: number }
  | { readonly to: 'input'; readonly ordinal: number }
  | { readonly to: 'list'; readonly kind: ItemKind }
  | { readonly to: 'item'; readonly id: string }
);

/** Longer is no pointer: an item's id holds a path at most. */
export const pointerLengthMax = 4_200;

/** Undefined where the text cannot point to anything. */
export function readPointer(text: string): Pointer | undefined {
  if (text === '' || text.length > pointerLengthMax) return undefined;
  const own = readList(text) ?? readPlace(text);
  if (own) return own;
  const [, attempt, rest] = /^([a-z0-9][a-z0-9._-]{0,62}\/[1-9]\d{0,8})\/(.+)$/.exec(text) ?? [];
  const place = rest === undefined ? undefined : (readList(rest) ?? readPlace(rest));
  if (attempt !== undefined && place) return { attempt, ...place };
  const isId = /^(goal|(revision|constraint|fact|effect|promise|block|change|failed|decision|pointer)\/.+)$/s.test(
    text,
  );
  return isId ? { to: 'item', id: text } : undefined;
}

function readList(text: string): Pointer | undefined {
  const kind = leavableKinds.find((one) => listPointers[one] === text);
  return kind && { to: 'list', kind };
}

const number = '([1-9]\\d{0,8})';
const stepForm = new RegExp(`^s${number}$`);
const actionForm = new RegExp(`^s${number}\\.a(0|[1-9]\\d{0,8})$`);
const stepsForm = new RegExp(`^s${number}-s${number}$`);
const inputForm = new RegExp(`^input/${number}$`);

function readPlace(text: string): Pointer | undefined {
  const step = stepForm.exec(text);
  if (step) return { to: 'step', step: Number(step[1]) };
  const action = actionForm.exec(text);
  if (action) return { to: 'action', step: Number(action[1]), index: Number(action[2]) };
  const steps = stepsForm.exec(text);
  if (steps && Number(steps[1]) <= Number(steps[2])) {
    return { to: 'steps', from: Number(steps[1]), upto: Number(steps[2]) };
  }
  const input = inputForm.exec(text);
  return input ? { to: 'input', ordinal: Number(input[1]) } : undefined;
}
