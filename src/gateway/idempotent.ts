import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { answerPosted, dropPosted, type Posted, type PostedAnswer, takePosted } from '../ledger/posted';
import type { Caller } from '../protocol/roles';
import type { Gateway } from './gateway';
import { Problem } from './problem';

/** As the draft of the header asks for: any opaque text; longer ones are no keys. */
const keyPattern = /^[\x21-\x7e]{1,200}$/;
/** Whoever is told to come back does so when the first is done, or given up. */
const underWay = new Problem('under_way', 'The same request is being worked on.', {
  next: 'Send it again in a second.',
});

/** The key of a POST, where it has one. Throws Problem `invalid`. */
export function postedUnder(caller: Caller, request: FastifyRequest): Posted | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !keyPattern.test(key))
    throw new Problem('invalid', 'Idempotency-Key is up to 200 visible ASCII characters.');
  const text = JSON.stringify([request.method, request.url, request.body ?? null]);
  return { caller, key, request: createHash('sha256').update(text).digest() };
}

/** What is the same each time the same request is sent, for ids that are made of it. */
export function requestIdOf({ caller, key }: Posted): string {
  return createHash('sha256')
    .update(JSON.stringify([caller.tenant, caller.principal, key]))
    .digest('hex')
    .slice(0, 32);
}

/**
 * Does `work` once for a key: the same request again gets the same answer, and another request under it is refused. What failed
 * on our side is not kept, so it can be tried again. Rejects with Problem.
 */
export async function once(
  { pool }: Pick<Gateway, 'pool'>,
  posted: Posted,
  work: () => Promise<PostedAnswer>,
): Promise<PostedAnswer & { readonly replayed: boolean }> {
  const before = await takePosted(pool, posted);
  if (before.kind === 'answered') return { ...before.answer, replayed: true };
  if (before.kind === 'under_way') throw underWay;
  if (before.kind === 'another_request')
    throw new Problem('another_request', 'This Idempotency-Key was used for another request.', {
      next: 'Make a new key for each thing that you ask.',
    });
  try {
    const answer = await work();
    await answerPosted(pool, posted, answer);
    return { ...answer, replayed: false };
  } catch (error) {
    if (error instanceof Problem && error.status < 500)
      await answerPosted(pool, posted, { status: error.status, body: error.document() });
    else await dropPosted(pool, posted);
    throw error;
  }
}
