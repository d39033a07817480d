import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { isEnd } from '../../domain/attempt/states';
import { insertMessage } from '../../ledger/inbox';
import { attemptDetails } from '../../ledger/queries/attempt-details';
import { threadTurns } from '../../ledger/queries/thread-turns';
import type { AttemptRef } from '../../protocol/ids';
import type { MessageContent } from '../../protocol/messages';
import { RequestRefused } from '../request-refused';
import type { Session } from '../session';

/** What a person may tell an attempt. */
export type Sendable = Exclude<MessageContent, { kind: 'unknown' | 'effectSettled' | 'childEnded' }>;

/** Stores a message and wakes the attempt (M4). Rejects with RequestRefused where it had ended. Returns the message's id. */
export async function send(session: Session, ref: AttemptRef, content: Sendable): Promise<string> {
  const message = { ...content, id: newMessageId(session) };
  if ((await store(session, ref, message)) === 'ended') throw await hasEnded(session, ref);
  return message.id;
}

/** It tells by which door the message came, and is the same each time the same request is sent, where its sender says so. */
export function newMessageId({ sender }: Pick<Session, 'sender'>): string {
  const own = sender.door === 'gateway' ? sender.requestId : undefined;
  return `${sender.door}/${own ?? randomUUID()}`;
}

/** Why an attempt takes no message, and what can be done instead. */
export async function hasEnded({ pool }: Pick<Session, 'pool'>, ref: AttemptRef): Promise<RequestRefused> {
  const { state, reason, kind } = await attemptDetails(pool, ref);
  const next =
    kind === 'dialog' && state === 'COMPLETED'
      ? await nextTurnWords(pool, ref)
      : '`holdfast start TASK.yaml --again` makes another attempt.';
  return new RequestRefused(
    'ended',
    `${ref.id} has ended: ${state} (${reason}). It takes no message any more.`,
    `\`holdfast show ${ref.id}\` shows how. ${next}`,
  );
}

async function nextTurnWords(pool: Pool, ref: AttemptRef): Promise<string> {
  const newest = (await threadTurns(pool, ref)).at(-1);
  const say = `\`holdfast say ${newest?.attemptId ?? ref.id} "…"\``;
  if (newest !== undefined && newest.attemptId !== ref.id && !isEnd(newest.state))
    return `Its conversation goes on in ${newest.attemptId}: ${say} tells it, and \`--revise\` revises its goal.`;
  return `${say} begins its next turn; a goal is revised only while it is worked on.`;
}

/** The same, for who knows what to do where it had ended; nothing is stored then. */
export async function store(
  session: Session,
  ref: AttemptRef,
  message: Sendable & { readonly id: string },
): Promise<'stored' | 'ended'> {
  const stored = await insertMessage(session.pool, ref, message);
  if (stored.kind === 'ended') return 'ended';
  const { wakeAttempt }: typeof import('../../temporal/wake') = require('../../temporal/wake');
  await session
    .temporal((client) => wakeAttempt(client, ref, message.kind, message.id))
    .catch((error) => {
      if (!(error instanceof RequestRefused)) throw error;
      const next = `The ${message.kind} is stored: the attempt takes it when Temporal answers again. ${error.next ?? ''}`;
      throw new RequestRefused(error.code, error.message, next.trim());
    });
  return 'stored';
}
