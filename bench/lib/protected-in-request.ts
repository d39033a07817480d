import { followPointer } from '../../src/activities/context/follow-pointer';
import { protectedItems } from '../../src/activities/context/protected-items';
import { RecordReader } from '../../src/activities/context/record-reader';
import type { RecordDeps } from '../../src/activities/deps';
import type { ViewRows } from '../../src/activities/ledger-port';
import { readPointer } from '../../src/domain/context/pointer';
import {
  type ItemKind,
  type LeavableKind,
  leavableKinds,
  listPointers,
  type ProtectedItem,
} from '../../src/domain/context/protected-item';
import { headings, itemText, saidByContract } from '../../src/domain/context/render-projection';
import type { AttemptRef } from '../../src/protocol/ids';

export interface ProtectedInRequest {
  /** Kinds of items that the record has, in their order. */
  readonly kinds: readonly ItemKind[];
  /** Ids of all of them. */
  readonly ids: readonly string[];
  /** Ids of those that the request neither shows nor names as to be recalled, or that `recall` does not give back. */
  readonly missing: readonly string[];
}

/** Holds what the record protects (R13.2), read from the ledger anew, against the texts of a request as the model server got it. */
export async function protectedInRequest(
  deps: RecordDeps,
  ref: AttemptRef,
  texts: readonly string[],
): Promise<ProtectedInRequest> {
  const rows = await deps.ledger.view(ref);
  const uptoStep = rows.projection?.uptoStep ?? 0;
  const { items } = await protectedItems(deps, rows, uptoStep);
  const text = `\n${texts.join('\n\n')}\n`;
  const hidden = items.filter((item) => stepOf(item) <= uptoStep && !isShown(text, item));
  const later = items.filter((item) => stepOf(item) > uptoStep && !isWordForWord(text, rows, stepOf(item)));
  const record = new RecordReader(deps, ref);
  const lists = await Promise.all(leavableKinds.map((kind) => recalled(record, text, kind, hidden)));
  const left = new Set(lists.flat());
  return {
    kinds: [...new Set(items.map(({ kind }) => kind))],
    ids: items.map(({ id }) => id),
    missing: [...hidden.filter((item) => !left.has(item)), ...later].map(({ id }) => id),
  };
}

/** The step that an item is about, where it is about one: effects and requests of steps that are still shown are items too. */
function stepOf({ source }: ProtectedItem): number {
  const pointer = source === undefined ? undefined : readPointer(source);
  return pointer?.to === 'action' && pointer.attempt === undefined ? pointer.step : 0;
}

function isShown(text: string, item: ProtectedItem): boolean {
  if (!saidByContract(item)) return text.includes(`\n${itemText(item)}\n`);
  return text.includes(item.text.replace(/^Forbidden: /, ''));
}

const isWordForWord = (text: string, { steps }: ViewRows, step: number): boolean =>
  steps.find((row) => row.step === step)?.calls.every(({ output }) => text.includes(output ?? '')) ?? false;

/** Of the hidden items of a kind those that its list has; none where the request does not say that just so many were left. */
async function recalled(
  record: RecordReader,
  text: string,
  kind: LeavableKind,
  hidden: readonly ProtectedItem[],
): Promise<readonly ProtectedItem[]> {
  const ofKind = hidden.filter((item) => item.kind === kind);
  const pointer = listPointers[kind];
  if (!text.includes(`\n- ${ofKind.length} of "${headings[kind]}": recall {"pointer":"${pointer}"}\n`)) return [];
  const list = `\n${await followPointer(record, pointer)}\n`;
  return ofKind.filter((item) => list.includes(`\n${itemText(item)}\n`));
}
