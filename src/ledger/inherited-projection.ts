import type { PoolClient } from 'pg';
import type { Body } from '../activities/ledger-port';
import type { Checkpoint } from '../domain/checkpoint/checkpoint';
import { collectItems } from '../domain/context/collect-items';
import { inheritItems } from '../domain/context/inherit-items';
import type { ItemEvidence } from '../domain/context/item-rows';
import { inheritedItems } from '../domain/context/items/inherited-items';
import { makeProjection } from '../domain/context/make-projection';
import { type Projection, readProjection } from '../domain/context/projection';
import { renderProjection } from '../domain/context/render-projection';
import type { AttemptRef } from '../protocol/ids';
import { readContract } from './contracts';
import { createRecordReader } from './record';

/** Room for the items that may be left out, in tokens: a small model's view holds them beside all else. */
const itemTokens = 2_000;
/** Nobody knows yet which model will read it; four characters are about a token. */
const charsPerToken = 4;
const count = (text: string) => Math.ceil(text.length / charsPerToken);

interface At {
  readonly checkpoint: Checkpoint;
  readonly at: Date;
  /** The one in force, which the new attempt has too. */
  readonly contractVersion: number;
}

/**
 * What an attempt that begins at a checkpoint knows of the one before it (R12.3): its calls up to there, all its effects and
 * answers up to now, since these bind whoever comes after, and no files, which the new one has itself.
 */
export async function inheritedProjection(
  client: PoolClient,
  from: AttemptRef,
  { checkpoint, at, contractVersion }: At,
  load: (body: Body) => Promise<string>,
): Promise<{ projection: Projection; tokens: number }> {
  const record = createRecordReader(async <R extends object>(text: string, values: unknown[], name: string) => {
    return (await client.query<R>({ name, text, values })).rows;
  });
  const { step: uptoStep } = checkpoint;
  const rows = await record.itemRows(from, uptoStep);
  const items = collectItems({
    contract: await readContract(client, from, contractVersion),
    uptoStep,
    evidence: await evidenceAt(client, from, at),
    calls: rows.calls,
    effects: rows.effects,
    approvals: rows.approvals,
    changes: [],
    ...(rows.inherited && { inherited: inheritedItems(readProjection(JSON.parse(await load(rows.inherited)))) }),
  });
  const said = await messagesOf(client, from, checkpoint.context.input);
  const made = makeProjection({
    uptoStep: 0,
    contractVersion,
    policy: checkpoint.versions.policy ?? '',
    madeBy: 'inherited',
    items: inheritItems(items, from.id, said),
    itemTokens,
    summary: '',
    count,
  });
  // What was left out is the other attempt's to list.
  const left = made.left.map((kind) => ({ ...kind, pointer: `${from.id}/${kind.pointer}` }));
  const projection = { ...made, left };
  return { projection, tokens: count(renderProjection(projection)) };
}

/** What was found out after the checkpoint is of other files. */
async function evidenceAt(client: PoolClient, from: AttemptRef, at: Date): Promise<readonly ItemEvidence[]> {
  const { rows } = await client.query<ItemEvidence>(
    `select criterion, met, body ->> 'detail' as detail from evidence where attempt = $1
       and candidate = (select max(candidate) from evidence where attempt = $1 and at <= $2) and at <= $2 order by criterion`,
    [from.key, at],
  );
  return rows;
}

/** What the user said by then, but for the first message, which the new attempt begins with itself, as it does with its Thread. */
async function messagesOf(client: PoolClient, from: AttemptRef, upto: number) {
  const { rows } = await client.query<{ ordinal: number; text: string }>(
    `select ordinal, body ->> 'text' as text from inputs
     where attempt = $1 and kind = 'message' and body ->> 'thread' is null and ordinal <= $2 order by ordinal offset 1`,
    [from.key, upto],
  );
  return rows;
}
