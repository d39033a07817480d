import type { AttemptRef } from '../protocol/ids';
import { followPointer } from './context/follow-pointer';
import { RecordReader } from './context/record-reader';
import type { ActivityDeps } from './deps';

/** What the tool `recall` answers for a pointer that this attempt's view names (R13.3); undefined where it names nothing. */
export const recall = (deps: ActivityDeps, ref: AttemptRef, pointer: string): Promise<string | undefined> =>
  followPointer(new RecordReader(deps, ref), pointer);
