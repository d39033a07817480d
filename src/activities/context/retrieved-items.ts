import { listPointers, mayBeLeft, type ProtectedItem } from '../../domain/context/protected-item';
import { itemText } from '../../domain/context/render-projection';
import { BodyLostError } from '../bodies';
import { ArtifactError } from '../ports';
import { followPointer } from './follow-pointer';
import type { RecordReader } from './record-reader';

/**
 * Ids of the items that `recall` gives back (R13.4), found out as that finds it: the list of its kind has it as it stands, and
 * what it points to is there to be read. Throws where the ledger or the object store cannot be asked.
 */
export async function retrievedItems(
  record: RecordReader,
  items: readonly ProtectedItem[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const lists = new Map<string, string>();
  // One after the other: neighbours are read together, and a worker has other attempts to serve.
  for (const item of items) if (await isRetrieved(record, item, lists)) found.add(item.id);
  return found;
}

/** `lists`: those that were recalled already, by their pointers. */
async function isRetrieved(record: RecordReader, item: ProtectedItem, lists: Map<string, string>): Promise<boolean> {
  if (!mayBeLeft(item.kind)) return false; // no list has it
  try {
    const pointer = listPointers[item.kind];
    if (!lists.has(pointer)) lists.set(pointer, `\n${await followPointer(record, pointer)}\n`);
    if (!lists.get(pointer)?.includes(`\n${itemText(item)}\n`)) return false;
    return item.source === undefined || (await followPointer(record, item.source)) !== undefined;
  } catch (error) {
    if (isLost(error)) return false;
    throw error;
  }
}

/** The store answered, and what was put is not there, or is something else. */
const isLost = (error: unknown) =>
  error instanceof BodyLostError || (error instanceof ArtifactError && error.errno === undefined);
