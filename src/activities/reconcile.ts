import { type Effect, idempotencyKey } from '../domain/effect/effect';
import { settle } from '../domain/effect/outcome';
import { whyUnheard } from '../domain/policy/why-unheard';
import { placeOf } from '../protocol/ids';
import type { ReconcileBody } from '../protocol/messages';
import type { Disposal } from './disposal';
import { settleCompensated } from './effects/compensated';
import { openSendUntil } from './effects/open-send';
import type { AttemptTx, InboxRow } from './ledger-port';
import type { PolicyPort, ToolPort } from './ports';
import { speakerOf } from './speaker';

/**
 * A person's word on an effect that nobody else can tell of (R4.7).
 *
 *   I1  It settles only what is open: nobody is sending it, and it was sent (E6).
 *   I2  "Not committed" is taken only when nothing that was sent can be under way any more (E6).
 *   I3  A word against what is recorded changes nothing; it is kept, and said to be a conflict (E4).
 *   I4  It is the word of somebody who may answer at all (R5.5): nobody else's is kept, not even as a conflict.
 *
 * `said`: what earlier messages of this transaction made of effects, by action id; the outcome is put there.
 */
export async function reconcileByPerson(
  { policy, tools }: { readonly policy: PolicyPort; readonly tools: ToolPort },
  tx: AttemptTx,
  message: Extract<InboxRow, { kind: 'reconcile' }>,
  said: Map<string, Effect>,
): Promise<Disposal> {
  const { body } = message;
  const unheard = whyUnheard(body.by, await speakerOf(policy, tx, body.by));
  if (unheard !== undefined) return rejected(unheard); // I4
  const place = placeOf(tx.attempt.ref.id, body.actionId);
  const own = place && (await tx.effectOf(place.step, place.index));
  if (!own) return rejected(`${body.actionId} has nothing outside to tell of; "holdfast effects" lists what has.`);
  const effect = said.get(body.actionId) ?? own.effect;
  const word = body.outcome === 'committed' ? 'COMMITTED' : 'NOT_COMMITTED';
  switch (effect.phase) {
    case 'CLAIMED':
      return rejected(`${body.actionId} has sent nothing yet, so there is nothing to tell of it.`); // I1
    case 'SENT':
    case 'UNKNOWN': {
      if (effect.phase === 'SENT' && effect.ownerLive)
        return rejected(`${body.actionId} is being sent right now; its own answer is waited for.`); // I1
      const until =
        word === 'NOT_COMMITTED' ? await openSendUntil(tools, tx, { ...own, effect }, message.at) : undefined;
      if (until) return rejected(`What was sent may still be under way; say so again after ${until.toISOString()}.`); // I2
      await settleByPerson(tx, effect, word, message, said);
      return { kind: 'taken' };
    }
    case 'COMMITTED':
    case 'NOT_COMMITTED':
    case 'COMPENSATED':
    case 'COMPENSATION_FAILED':
      return againstRecord(tx, effect, word, body);
  }
}

async function settleByPerson(
  tx: AttemptTx,
  effect: Effect,
  word: 'COMMITTED' | 'NOT_COMMITTED',
  {
    id,
    body: { actionId: action, outcome, by, evidence, channel = 'asserted' },
  }: Extract<InboxRow, { kind: 'reconcile' }>,
  said: Map<string, Effect>,
): Promise<void> {
  const committed = word === 'COMMITTED';
  tx.addEvidence(effect, { kind: 'person', body: { said: word, by, channel, evidence, messageId: id } });
  tx.updateEffect(effect, effect.fence, {
    phase: word,
    settledBy: 'person',
    outcome: evidence,
    ...(committed ? { committed: true } : {}),
  });
  const name = idempotencyKey(tx.attempt.ref.tenant, effect);
  tx.emit({ type: 'effect_settled', payload: { action, effect: name, as: outcome, by: 'person', name: by } });
  await settleCompensated(tx, committed);
  said.set(action, { ...effect, phase: word, settledBy: 'person', outcome: evidence });
}

/** I3 */
function againstRecord(
  tx: AttemptTx,
  effect: Effect,
  said: 'COMMITTED' | 'NOT_COMMITTED',
  { actionId: action, by, evidence, channel = 'asserted' }: ReconcileBody,
): Disposal {
  const recorded = `${action} is settled already: ${inWords(effect)}`;
  if (settle(effect, said).kind === 'agrees') return rejected(recorded);
  tx.addEvidence(effect, { kind: 'conflict', body: { said, by, channel, evidence } });
  const name = idempotencyKey(tx.attempt.ref.tenant, effect);
  tx.emit({ type: 'effect_conflict', payload: { action, effect: name, recorded: effect.phase, said } });
  return rejected(`${recorded} Your word is kept as a contradiction that somebody has to look into.`);
}

function inWords({ phase, committedAt, settledBy }: Effect): string {
  if (phase === 'NOT_COMMITTED') return `it took no effect (found out by ${settledBy ?? 'the runtime'}).`;
  return `it took effect${committedAt ? ` at ${committedAt.toISOString()}` : ''} (found out by ${settledBy ?? 'its own answer'}).`;
}

const rejected = (why: string): Disposal => ({ kind: 'rejected', why });
