import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** Characters of a task's name. */
const nameMax = 63;
/** Hex digits that tell cut names apart. */
const hashDigits = 8;

/** The task of the child that an action asks for, by the action's position (M6); `attempt`: number of the parent. */
export function childTask(
  task: string,
  attempt: number,
  { step, index }: { readonly step: number; readonly index: number },
): string {
  const place = `.${attempt}.s${step}a${index}`;
  const whole = `${task}${place}`;
  if (whole.length <= nameMax) return whole;
  const hash = bytesToHex(sha256(utf8ToBytes(whole))).slice(0, hashDigits);
  return `${task.slice(0, nameMax - place.length - hashDigits - 1)}-${hash}${place}`;
}
