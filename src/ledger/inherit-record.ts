import type { PoolClient } from 'pg';
import { readCheckpoint } from '../domain/checkpoint/read-checkpoint';
import type { AttemptRef } from '../protocol/ids';
import { type InheritedProjection, inheritedProjection, type Past } from './inherited-projection';
import type { NewAttempt, StartRecord } from './insert-attempt';
import { newestCheckpoint } from './standing';
import type { Texts } from './texts';

/** What a new attempt is started with because of another one, and what it is told of that one's record. */
export interface Inherited {
  readonly attempt: Required<Pick<NewAttempt, 'inherits' | 'heritage' | 'took'>>;
  readonly projection: InheritedProjection;
}

/**
 * What a new attempt takes over of the newest kin (R1.1): its whole record, as a fork does; no files, no plan and no conversation.
 * Undefined where that has done and said nothing, and knows of nothing.
 */
export async function inheritRecord(
  client: PoolClient,
  from: AttemptRef,
  of: Pick<Past, 'contract' | 'input'>,
  texts: Pick<Texts, 'load'>,
): Promise<Inherited | undefined> {
  const { rows } = await client.query<KinRow>(kinQuery, [from.key]);
  const [row] = rows;
  if (!row) throw new Error(`No attempt has the key ${from.key}.`);
  const { step, input, contract_version: contractVersion, tainted, stale_targets: staleTargets } = row;
  const stood = await newestCheckpoint(client, from.key);
  const read = stood && readCheckpoint(stood);
  const policy = (read?.ok && read.checkpoint.versions.policy) || '';
  const projection = await inheritedProjection(
    client,
    { from, upto: { step, input }, contractVersion, policy, ...of },
    texts.load,
  );
  const { items, left } = projection.projection;
  if (items.length + left.length === 0) return undefined;
  const { effects, messages } = projection;
  return {
    projection,
    attempt: {
      inherits: { attempt: from.id, ancestors: ancestorsWith(row.start, from) },
      heritage: { tainted, staleTargets },
      took: { from: from.id, snapshot: null, effects, messages },
    },
  };
}

/** An attempt and all that it goes on from, the oldest first. */
export const ancestorsWith = ({ forkedFrom, inherits }: StartRecord, { key }: AttemptRef): readonly number[] => [
  ...(forkedFrom?.ancestors ?? inherits?.ancestors ?? []),
  key,
];

interface KinRow {
  step: number;
  input: number;
  contract_version: number;
  tainted: boolean;
  stale_targets: Inherited['attempt']['heritage']['staleTargets'];
  start: StartRecord;
}
const kinQuery = `select step, coalesce((select max(ordinal) from inputs where attempt = key), 0) as input,
    coalesce(revised_version, contract_version) as contract_version, tainted, stale_targets, start
  from attempts where key = $1`;
