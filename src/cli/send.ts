import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Pool } from 'pg';
import { isEnd } from '../domain/attempt/states';
import { insertMessage } from '../ledger/inbox';
import { attemptDetails } from '../ledger/queries/attempt-details';
import { threadTurns } from '../ledger/queries/thread-turns';
import type { AttemptRef } from '../protocol/ids';
import type { MessageContent } from '../protocol/messages';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';
import type { Session } from './session';

/** What a person may tell an attempt. */
export type Sendable = Exclude<MessageContent, { kind: 'unknown' | 'effectSettled' | 'childEnded' }>;

/** Stores a message and wakes the attempt (M4). Rejects with CliError where it had ended. Returns the message's id. */
export async function send(session: Session, ref: AttemptRef, content: Sendable): Promise<string> {
  const message = { ...content, id: newMessageId() };
  if ((await store(session, ref, message)) === 'ended') throw await hasEnded(session, ref);
  return message.id;
}

export const newMessageId = (): string => `cli/${randomUUID()}`;

/** Why an attempt takes no message, and what can be done instead. */
export async function hasEnded({ pool }: Pick<Session, 'pool'>, ref: AttemptRef): Promise<CliError> {
  const { state, reason, kind } = await attemptDetails(pool, ref);
  const next =
    kind === 'dialog' && state === 'COMPLETED'
      ? await nextTurnWords(pool, ref)
      : '`holdfast start TASK.yaml --again` makes another attempt.';
  return new CliError(
    exitCodes.usage,
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
  const { wakeAttempt }: typeof import('../temporal/wake') = require('../temporal/wake');
  await session
    .temporal((client) => wakeAttempt(client, ref, message.kind, message.id))
    .catch((error) => {
      if (!(error instanceof CliError)) throw error;
      const next = `The ${message.kind} is stored: the attempt takes it when Temporal answers again. ${error.next ?? ''}`;
      throw new CliError(error.exitCode, error.message, next.trim());
    });
  return 'stored';
}

/** Who acts, where nobody says: the login name, which a user without an entry in the system does not have. */
export function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** The login name, where configuration names people, it is none of them, and nobody said who speaks. */
export function byLogin({ config }: Pick<Session, 'config'>, { by }: { readonly by?: string }): string | undefined {
  const { principals } = config.policy;
  const name = loginName();
  if (by !== undefined || principals.length === 0 || principals.some((one) => one.name === name)) return undefined;
  return name;
}
