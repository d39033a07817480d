import type { PoolClient } from 'pg';
import type { AttemptRef } from '../protocol/ids';
import type { InheritedProjection } from './inherited-projection';
import { jsonParam } from './json';
import type { Texts } from './texts';

/** Installs what a new attempt inherits as its first projection; with the number of the start, which is no move. */
export async function storeInherited(
  client: PoolClient,
  to: AttemptRef,
  { projection, tokens }: Pick<InheritedProjection, 'projection' | 'tokens'>,
  texts: Pick<Texts, 'store'>,
): Promise<void> {
  const body = await texts.store(JSON.stringify(projection));
  if ('hash' in body)
    await client.query(
      `insert into artifacts (tenant, hash, bytes, media_type) values ($1, $2, $3, 'text/plain; charset=utf-8')
       on conflict (tenant, hash) do nothing`,
      [to.tenant, body.hash, body.bytes],
    );
  await client.query(
    `insert into projections (attempt, ordinal, n, step, upto_step, contract_version, policy, made_by, tokens_before, tokens_after, body)
     values ($1, 1, 0, 0, 0, $2, $3, 'inherited', 0, $4, $5)`,
    [to.key, projection.contractVersion, projection.policy, tokens, jsonParam(body)],
  );
}
