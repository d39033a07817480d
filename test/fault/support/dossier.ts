import type { AttemptRef } from '../../../src/protocol/ids';
import type { FaultWorld } from './fault-world';
import { operationOf } from './journal';

/** All that is known of one attempt: what the ledger says, and what the shop says. */
export async function dossier(world: FaultWorld, ref: AttemptRef): Promise<string> {
  const task = ref.id.slice(0, ref.id.lastIndexOf('/'));
  const of = async (title: string, query: string) => {
    const { rows } = await world.pool.query(query, [ref.key]);
    return [`── ${title}`, ...rows.map((row) => JSON.stringify(row, hashesAsHex))];
  };
  const lines = [
    ...(await of('attempt', 'select state, reason, step from attempts where key = $1')),
    ...(await of('moves', `select n, kind, answer, at from moves where attempt = $1 order by n`)),
    ...(await of('events', 'select sequence, type, payload, at from events where attempt = $1 order by sequence')),
    ...(await of('effects', 'select * from effects where attempt = $1 order by claimed_at')),
    ...(await of('evidence', 'select * from effect_evidence where attempt = $1 order by id')),
    ...(await of('tool tries', 'select * from tool_tries where attempt = $1 order by opened_at')),
    ...(await of('executions', 'select * from executions where attempt = $1 order by n')),
    ...(await of('inbox', 'select * from inbox where attempt = $1 order by ordinal')),
    "── the shop's journal",
    ...world.shop
      .lines()
      .filter((line) => operationOf(line).startsWith(task))
      .map((line) => JSON.stringify(line)),
    '── requests of sends',
    ...world.sends().filter((key) => key.includes(task)),
  ];
  return lines.join('\n');
}

function hashesAsHex(_name: string, value: unknown): unknown {
  const bytes: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'data') : undefined;
  return Array.isArray(bytes) ? Buffer.from(bytes).toString('hex') : value;
}
