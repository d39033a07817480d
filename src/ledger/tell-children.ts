import type { Pool } from 'pg';
import { type AttemptRef, attemptId } from '../protocol/ids';
import type { Message, MessageKind } from '../protocol/messages';
import { insertMessage } from './inbox';
import { ledgerError } from './unavailable';

/**
 * What parent and child have to tell each other (R15.1, R11.1), from their rows alone and by whoever looks: that one of them died
 * before it could say so changes nothing. Each message is stored in a transaction of its own that holds its receiver's row alone,
 * so that parent and child never wait for each other.
 */

/** One look does a bounded amount of work; the next does the rest. */
const messagesPerLookMax = 100;

export interface Told {
  readonly ref: AttemptRef;
  readonly id: string;
  readonly kind: Extract<MessageKind, 'childEnded' | 'cancel'>;
}

interface Row {
  child: number;
  child_task: string;
  child_number: number;
  parent: number;
  parent_task: string;
  parent_number: number;
  tenant: string;
  ended: boolean;
}
const columns = `c.key as child, c.task as child_task, c.number as child_number, p.key as parent, p.task as parent_task, p.number as parent_number,
  c.tenant, c.ended_at is not null as ended`;
const toTellQuery = `select ${columns} from children k join attempts c on c.key = k.child join attempts p on p.key = k.attempt
  where k.told_at is null and (c.ended_at is not null or (p.state = 'CANCELLING' or p.ended_at is not null) and not exists
    (select from inbox i where i.attempt = c.key and i.id = 'parent/' || p.task || '/' || p.number))
  order by c.key limit $1`;

/** Stores what is to be told; returns what was, for its receivers to be woken. */
export async function tellChildren(pool: Pool): Promise<readonly Told[]> {
  try {
    const { rows } = await pool.query<Row>(toTellQuery, [messagesPerLookMax]);
    const told: Told[] = [];
    for (const row of rows) if (await tell(pool, row)) told.push(toldOf(row));
    return told;
  } catch (error) {
    throw ledgerError(error);
  }
}

/** Whether the receiver is to be woken: it has not ended. */
async function tell(pool: Pool, row: Row): Promise<boolean> {
  const { ref } = toldOf(row);
  const stored = await insertMessage(pool, ref, messageOf(row));
  if (row.ended) await pool.query('update children set told_at = clock_timestamp() where child = $1', [row.child]);
  return stored.kind !== 'ended';
}

function toldOf(row: Row): Told {
  const { id, kind } = messageOf(row);
  return { ref: row.ended ? parentOf(row) : childOf(row), id, kind };
}

function messageOf(row: Row): Extract<Message, { kind: Told['kind'] }> {
  const [child, parent] = [childOf(row).id, parentOf(row).id];
  if (row.ended) return { id: `child/${child}`, kind: 'childEnded', body: { child } };
  const body = { by: 'holdfast', reason: `${parent}, which asked for it, is over` };
  return { id: `parent/${parent}`, kind: 'cancel', body };
}

const childOf = ({ tenant, child, child_task, child_number }: Row): AttemptRef => ({
  tenant,
  id: attemptId(child_task, child_number),
  key: Number(child),
});
const parentOf = ({ tenant, parent, parent_task, parent_number }: Row): AttemptRef => ({
  tenant,
  id: attemptId(parent_task, parent_number),
  key: Number(parent),
});
