import type { PoolClient } from 'pg';
import type { Body, Revocation, RevocationAsk } from '../../activities/ledger-port';
import type { Effect } from '../../domain/effect/effect';
import { textParam } from '../json';

/** What a decision about one action needs of others, and of the tenant's revocations. */

type Place = Pick<Effect, 'attempt' | 'step' | 'index'>;

const revokedQuery = `select kind, value, reason, by_name as by from revocations
  where tenant = $1 and (kind, value) in (select * from unnest($2::text[], $3::text[])) order by id limit 1`;

/** The oldest revocation that meets one of these. */
export async function firstRevoked(
  client: PoolClient,
  tenant: string,
  of: readonly RevocationAsk[],
): Promise<Revocation | undefined> {
  if (of.length === 0) return undefined;
  const { rows } = await client.query<Revocation>({
    name: 'revoked',
    text: revokedQuery,
    values: [tenant, of.map(({ kind }) => kind), of.map(({ value }) => textParam(value))],
  });
  return rows[0];
}

// A denial is an event of its action's step. What a revised goal overruled was not looked at, so it may be asked for again.
const deniedQuery = `select e.payload ->> 'code' as code
  from actions c join events e on e.attempt = c.attempt and e.step = c.step and e.type = 'action_denied'
    and (e.payload ->> 'index')::int = c.index and e.payload ->> 'code' <> 'GOAL_REVISED'
  where c.attempt = $1 and c.tool = $2 and c.args_hash = $3 and (c.step, c.index) < ($4, $5)
  order by e.sequence desc limit 1`;

export async function deniedBefore(
  client: PoolClient,
  attempt: number,
  { tool, argsHash, step, index }: { tool: string; argsHash: string; step: number; index: number },
): Promise<{ readonly code: string } | undefined> {
  const values = [attempt, textParam(tool), argsHash, step, index];
  const { rows } = await client.query<{ code: string }>({ name: 'denied-before', text: deniedQuery, values });
  return rows[0];
}

const observationQuery = `select ok, body ->> 'text' as text from observations join attempts on key = attempt
  where attempt = $1 and observations.step = $2 and index = $3 and tenant = $4`;

export async function observationOf(
  client: PoolClient,
  tenant: string,
  { attempt, step, index }: Place,
): Promise<{ ok: boolean; text: string } | undefined> {
  const values = [attempt, step, index, tenant];
  const { rows } = await client.query<{ ok: boolean; text: string }>({
    name: 'observation-of',
    text: observationQuery,
    values,
  });
  return rows[0];
}

const argumentsQuery = `select args from actions join attempts on key = attempt
  where attempt = $1 and actions.step = $2 and index = $3 and tenant = $4`;

export async function argumentsOf(
  client: PoolClient,
  tenant: string,
  { attempt, step, index }: Place,
): Promise<Body | undefined> {
  const values = [attempt, step, index, tenant];
  const { rows } = await client.query<{ args: Body }>({ name: 'arguments-of', text: argumentsQuery, values });
  return rows[0]?.args;
}

export async function hasPassed(client: PoolClient, since: Date, ms: number): Promise<boolean> {
  const { rows } = await client.query<{ passed: boolean }>({
    name: 'has-passed',
    text: `select clock_timestamp() >= $1::timestamptz + $2 * interval '1 ms' as passed`,
    values: [since, ms],
  });
  return rows[0]?.passed ?? false;
}

/** When the first cancel that was taken had been stored. */
export async function cancelRequestedAt(client: PoolClient, attempt: number): Promise<Date | undefined> {
  const { rows } = await client.query<{ at: Date | null }>({
    name: 'cancel-requested-at',
    text: `select min(at) as at from inbox where attempt = $1 and kind = 'cancel' and disposition = 'taken'`,
    values: [attempt],
  });
  return rows[0]?.at ?? undefined;
}
