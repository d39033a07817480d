import { inlineBytesMax } from '../domain/context/truncate';
import type { AttemptTx, Body } from './ledger-port';
import type { ArtifactPort } from './ports';

/**
 * Where a text is kept: a long one in the object store, by its hash (R10.3). A store that cannot take it is no reason to
 * lose it: then it stays in the row.
 */
export async function storeBody(artifacts: ArtifactPort, tenant: string, text: string): Promise<Body> {
  const bytes = Buffer.from(text);
  if (bytes.length <= inlineBytesMax) return { text };
  try {
    return { hash: await artifacts.put(tenant, bytes), bytes: bytes.length };
  } catch {
    return { text };
  }
}

/** Records where the body went, in the transaction of the row that names it. */
export function keepBody(tx: AttemptTx, body: Body): Body {
  if ('hash' in body) tx.keepArtifact(body);
  return body;
}

/** The object store has not got what a row says that it keeps. */
export class BodyLostError extends Error {
  override readonly name = 'BodyLostError';
}

/** Throws BodyLostError: history that cannot be read must not be guessed. */
export async function loadBody(artifacts: ArtifactPort, tenant: string, body: Body): Promise<string> {
  if ('text' in body) return body.text;
  const stored = await artifacts.get(tenant, body.hash);
  if (!stored) throw new BodyLostError(`The object store has no artifact ${body.hash}.`);
  return stored.toString('utf8');
}
