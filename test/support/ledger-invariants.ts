import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { Pool } from 'pg';
import { type Finding, verifyLedger } from '../../src/ledger/verify/verify-ledger';

const { oneOf, definitions } = JSON.parse(readFileSync(join(__dirname, '../../schema/event.schema.json'), 'utf8'));
const fits = new Ajv({ strict: false }).compile({ oneOf, definitions });

/** What is wrong with a ledger, and events that do not fit the published schema (R10.1); empty where it is sound. */
export async function brokenInvariants(pool: Pick<Pool, 'query'>): Promise<readonly Finding[]> {
  const { rows } = await pool.query<{ event_type: string; payload: unknown }>(
    'select distinct type as event_type, payload from events',
  );
  const unfit = rows.filter((event): boolean => !fits(event));
  return [
    ...(await verifyLedger(pool)),
    ...unfit.map((event) => ({ rule: 'R10.1', where: event.event_type, what: JSON.stringify(event.payload) })),
  ];
}
