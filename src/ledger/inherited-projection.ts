import type { PoolClient } from 'pg';
import { collectItems } from '../domain/context/collect-items';
import { inheritItems } from '../domain/context/inherit-items';
import type { ItemEvidence } from '../domain/context/item-rows';
import { inheritedItems } from '../domain/context/items/inherited-items';
import { makeProjection } from '../domain/context/make-projection';
import { type Projection, readProjection } from '../domain/context/projection';
import { isSaid } from '../domain/context/protected-item';
import { renderProjection } from '../domain/context/render-projection';
import { tellable } from '../domain/context/tellable';
import type { Contract } from '../domain/contract/contract';
import type { AttemptRef } from '../protocol/ids';
import { readContract } from './contracts';
import { createRecordReader } from './record';
import type { Texts } from './texts';

/** Room for the items that may be left out, in tokens: a small model's view holds them beside all else. */
const itemTokens = 2_000;
/** Nobody knows yet which model will read it; four characters are about a token. */
const charsPerToken = 4;
const count = (text: string) => Math.ceil(text.length / charsPerToken);

/** How much of another attempt's record is handed on, and to whom. */
export interface Past {
  readonly from: AttemptRef;
  /** Its calls up to this step, and what its user said up to this input. */
  readonly upto: { readonly step: number; readonly input: number };
  /** What was found out by this checkpoint; left out: all. */
  readonly checkpoint?: number;
  /** In force in `from`. */
  readonly contractVersion: number;
  readonly policy: string;
  /** Of the new attempt, with its number. */
  readonly contract: { readonly version: number; readonly body: Contract };
  /** The new attempt's first message, which is not told again. */
  readonly input: string;
}
export interface InheritedProjection {
  readonly projection: Projection;
  readonly tokens: number;
  /** What it tells of: writes outside, and messages of the user. */
  readonly effects: number;
  readonly messages: number;
}

/**
 * What an attempt that goes on from another one's record knows of it (R12.3): its calls up to there, all its effects and answers up
 * to now, since these bind whoever comes after, and no files, which the new one has itself.
 */
export async function inheritedProjection(
  client: PoolClient,
  { from, upto, checkpoint, contractVersion, policy, contract, input }: Past,
  load: Texts['load'],
): Promise<InheritedProjection> {
  const record = createRecordReader(async <R extends object>(text: string, values: unknown[], name: string) => {
    return (await client.query<R>({ name, text, values })).rows;
  });
  const rows = await record.itemRows(from, upto.step);
  const items = collectItems({
    contract: await readContract(client, from, contractVersion),
    uptoStep: upto.step,
    evidence: checkpoint === undefined ? rows.evidence : await evidenceAt(client, from, checkpoint),
    calls: rows.calls,
    effects: rows.effects,
    approvals: rows.approvals,
    changes: [],
    ...(rows.inherited && { inherited: inheritedItems(readProjection(JSON.parse(await load(rows.inherited)))) }),
  });
  const said = await messagesOf(client, from, upto.input, input);
  const handedOn = inheritItems(tellable(items, contract.body), from.id, said);
  const made = makeProjection({
    uptoStep: 0,
    contractVersion: contract.version,
    policy,
    madeBy: 'inherited',
    items: handedOn,
    itemTokens,
    summary: '',
    count,
  });
  // What was left out is the other attempt's to list.
  const left = made.left.map((kind) => ({ ...kind, pointer: `${from.id}/${kind.pointer}` }));
  const projection = { ...made, left };
  const before = handedOn.filter(({ id }) => isSaid(id) && !id.startsWith(`revision/input/${from.id}/`)).length;
  return {
    projection,
    tokens: count(renderProjection(projection)),
    effects: handedOn.filter(({ id }) => id.startsWith('effect/')).length,
    messages: said.length + before,
  };
}

/**
 * What was found out after the checkpoint is of other files. The database compares the times: here they would lose what is below
 * a millisecond, and with it what was found just before.
 */
async function evidenceAt(client: PoolClient, from: AttemptRef, checkpoint: number): Promise<readonly ItemEvidence[]> {
  const { rows } = await client.query<ItemEvidence>(
    `with found as (select * from evidence
       where attempt = $1 and at <= (select at from checkpoints where attempt = $1 and n = $2))
     select criterion, met, body ->> 'detail' as detail from found
     where candidate = (select max(candidate) from found) order by criterion`,
    [from.key, checkpoint],
  );
  return rows;
}

/** What the user said by then, but for a first message that the new attempt begins with itself, and what its Thread gave it. */
async function messagesOf(client: PoolClient, from: AttemptRef, upto: number, input: string) {
  const { rows } = await client.query<{ ordinal: number; text: string }>(
    `select ordinal, body ->> 'text' as text from inputs
     where attempt = $1 and kind = 'message' and body ->> 'thread' is null and ordinal <= $2 order by ordinal`,
    [from.key, upto],
  );
  return rows[0]?.text === input ? rows.slice(1) : rows;
}
