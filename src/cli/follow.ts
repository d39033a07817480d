import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerUnavailableError } from '../activities/ledger-port';
import { attemptBudget } from '../ledger/queries/attempt-budget';
import { type AttemptStatus, attemptStatus } from '../ledger/queries/attempt-status';
import { eventPage } from '../ledger/queries/event-page';
import { firstWords } from '../ledger/queries/first-words';
import { messageWords } from '../ledger/queries/message-words';
import { type StepDetails, stepDetails } from '../ledger/queries/step-details';
import { ledgerError } from '../ledger/unavailable';
import type { AttemptRef } from '../protocol/ids';
import { contentOf, stepOf, type WireEvent } from '../protocol/wire-event';
import { attemptDocument } from '../requests/documents/attempt-document';
import type { Session } from '../requests/session';
import { callWords } from '../requests/words/call-words';
import { BudgetTeller, budgetWords } from './budget-words';
import { type LongCall, longCall } from './long-call';
import { note, paint, say } from './output';
import { renderEvent } from './render-event';
import { renderPending } from './render-pending';
import { row } from './row';
import { tell } from './tell';

/** As live as a person can tell, and cheap: one indexed read. */
const pollMs = 150;
/** Read at once; an attempt of a thousand steps has some ten thousand events. */
const pageSize = 500;
/** A database that restarts is back by then; a person who waits longer should look. */
const outageMaxMs = 60_000;
/** A database that starts is noticed within a second; one that is gone is asked sixty times and no more. */
const outagePollMs = 1_000;

export interface FollowOptions {
  /** `end`: to the attempt's end. `settled`: to its end or the next pause. */
  readonly until: 'end' | 'settled';
  /** Sequence of the last event already seen; 0 for all. */
  readonly from: number;
  /** How events are shown; not at all where left out. */
  readonly show?: 'lines' | 'json';
}

/** Follows an attempt by its events, each once and in order (R10.2), and returns where it stands at last. */
export async function follow(session: Session, ref: AttemptRef, options: FollowOptions): Promise<AttemptStatus> {
  const { pool } = session;
  const detailsOf = stepReader(pool, ref);
  let cursor = options.from;
  let toldPauseAt = 0;
  const call = longCall();
  const budget = new BudgetTeller();
  for (;;) {
    const events = options.show === undefined ? [] : await patiently(() => eventPage(pool, ref, cursor, pageSize));
    for (const event of events) {
      if (options.show === 'json') say(JSON.stringify(event));
      else {
        await showLines(pool, ref, event, detailsOf);
        call.see(contentOf(event), stepOf(event), performance.now());
      }
      cursor = event.sequence;
    }
    if (options.show === 'lines' && events.some((event) => contentOf(event).type === 'model_answered')) {
      const words = budget.tell(await patiently(() => attemptBudget(pool, ref)));
      if (words !== undefined) say(row('budget', paint('yellow', words)));
    }
    if (events.length === pageSize) continue;

    const status = await patiently(() => attemptStatus(pool, ref));
    const over = options.until === 'end' ? status.ended : status.settled;
    const shownAll = options.show === undefined || status.sequence <= cursor;
    if (over && shownAll) return status;
    if (status.settled && shownAll && options.show === 'lines' && toldPauseAt < status.sequence) {
      for (const line of await patiently(() => pauseLines(session, ref))) tell(session, line);
      toldPauseAt = status.sequence;
    }
    if (options.show === 'lines' && process.stdout.isTTY) await showLongCall(call, detailsOf);
    await sleep(pollMs);
  }
}

/** On a terminal alone: in a pipe each call has one line, which says how it ended. */
async function showLongCall(call: LongCall, detailsOf: ReturnType<typeof stepReader>): Promise<void> {
  const due = call.due(performance.now());
  if (due === undefined) return;
  const action = (await detailsOf(due.step))?.actions.find(({ index }) => index === due.index);
  say(row('', paint('dim', `… ${callWords(due.tool, action?.args ?? null)}`)));
}

async function showLines(
  pool: Session['pool'],
  ref: AttemptRef,
  event: WireEvent,
  detailsOf: ReturnType<typeof stepReader>,
): Promise<void> {
  const step = stepOf(event);
  const content = contentOf(event);
  const told = content.type === 'model_answered' || content.type === 'action_finished';
  const message = content.type === 'message_taken' || content.type === 'message_rejected' ? content.payload : undefined;
  for (const line of renderEvent(content, step, {
    details: told ? await detailsOf(step) : undefined,
    words: message
      ? await patiently(() => messageWords(pool, ref, message.messageId))
      : content.type === 'attempt_created'
        ? await patiently(() => firstWords(pool, ref))
        : undefined,
  }))
    tell({ tenant: ref.tenant }, line);
}

/** What a pause waits for. Whoever follows to the end stays: anybody may answer, from anywhere. */
async function pauseLines(session: Session, ref: AttemptRef): Promise<readonly string[]> {
  const { pending, budget, priceUnknown } = await attemptDocument(session, ref);
  if (pending.length === 0) return [];
  const used = row('used', budgetWords(budget, priceUnknown));
  return [
    used,
    ...pending.flatMap(renderPending),
    row('', paint('dim', 'Waiting; Ctrl-C leaves the attempt as it is.')),
  ];
}

/** Proposals never change, so the newest is kept. */
function stepReader(pool: Session['pool'], ref: AttemptRef) {
  let kept: { step: number; details: StepDetails | undefined } | undefined;
  return async (step: number): Promise<StepDetails | undefined> => {
    if (kept?.step !== step) kept = { step, details: await patiently(() => stepDetails(pool, ref, step)) };
    return kept.details;
  };
}

/** Sits out a database that is away for a while; the attempt does the same. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  const until = Date.now() + outageMaxMs;
  for (let told = false; ; told = true) {
    try {
      return await read();
    } catch (error) {
      if (!(ledgerError(error) instanceof LedgerUnavailableError) || Date.now() > until) throw error;
      if (!told) note('The database does not answer; trying again. The attempt waits and goes on by itself.');
      await sleep(outagePollMs);
    }
  }
}
