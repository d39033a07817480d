import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalHash } from '../domain/canonical';
import { failed } from '../domain/failure/failed';
import type { Answered, Call, CallKind, GiveUpArgs } from '../protocol/calls';
import { settleUsage } from './budget';
import type { ActivityDeps } from './deps';
import { ExecutionLostError } from './errors';
import type { AttemptTx } from './ledger-port';
import { awaitedIds, landRiders, namedMessages } from './messages';

/** How often it is looked whether the last execution of the number has ended. */
const pollMs = 200;
/** Several leases: an execution that still counts as live then makes this call fail, and it is called again. */
const waitMaxMs = 20_000;

/** M2: answers a number that no execution answered, once none of them is alive; or returns the answer that stands. */
export function createGiveUp(deps: ActivityDeps) {
  return async ({ call, kind, code }: GiveUpArgs): Promise<Answered> => {
    for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += pollMs) {
      const answered = await deps.ledger.transact(call.ref, { n: call.n, awaited: awaitedIds(call) }, async (tx) => {
        if (tx.answered) return tx.answered.answered;
        if (tx.execution?.live) return undefined;
        // Messages are stored and left for the next call, which knows what they mean.
        landRiders(tx, call);
        await closeOpenTry(tx, kind, call);
        tx.emit({ type: 'gave_up', payload: { move: call.n, kind, code } }, 'operator');
        const named = namedMessages(tx, call.n, awaitedIds(call));
        const answer: Answered = {
          answer: { kind: 'gave_up', code },
          ...(named.length > 0 ? { named } : {}),
          acked: tx.attempt.acked,
        };
        tx.answer(kind, canonicalHash(call.args), answer);
        return answer;
      });
      if (answered) return answered;
      await sleep(pollMs);
    }
    throw new ExecutionLostError(`An execution of move ${call.n} of ${call.ref.id} is still alive.`);
  };
}

/** What an execution left open is charged as lost, and an action gets its observation: the model must see an answer. */
async function closeOpenTry(tx: AttemptTx, kind: CallKind, call: Call): Promise<void> {
  if (kind === 'think') {
    const { step, try: tryNumber } = (call as Call<'think'>).args;
    const open = await tx.modelTry(step, tryNumber);
    if (!open || open.closed) return;
    tx.closeModelTry({ step, try: tryNumber, execution: open.execution }, { outcome: 'lost', usage: open.reserved });
    settleUsage(tx, open.reserved, open.reserved);
  }
  if (kind === 'act') {
    const { step, index, try: tryNumber } = (call as Call<'act'>).args;
    const open = await tx.toolTry(step, index, tryNumber);
    if (open && !open.closed)
      tx.closeToolTry({ step, index, try: tryNumber, execution: open.execution }, { outcome: 'lost' });
    const { error } = failed(
      { class: 'tool_business', code: 'TOOL_LOST' },
      'The runtime could not finish this call; what it did is not known.',
      'Look at the state of things before you go on.',
    );
    tx.insert('observations', {
      step,
      index,
      ok: false,
      body: { text: JSON.stringify({ ok: false, error }) },
      tokens: 0,
      snapshot: null,
    });
  }
}
