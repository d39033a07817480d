import type { Effect } from '../domain/effect/effect';
import type { Call } from '../protocol/calls';
import { answerRequest } from './approvals';
import type { Disposal } from './disposal';
import { isRevision, takeRevision } from './goal-revised';
import type { JobRow } from './job-rows';
import { settleJob } from './jobs/settle-job';
import type { Approval, AttemptTx, InboxRow } from './ledger-port';
import { reject, rejectMessages, takenBeside } from './messages';
import type { PolicyPort, ToolPort } from './ports';
import { reconcileByPerson } from './reconcile';
import { resumeAttempt } from './resume';

/**
 * What a transaction does with the messages that wait in the inbox (M4).
 *
 *   I1  They are taken in inbox order, each once, and the sender of one that comes to nothing is told why.
 *   I2  Reads of a transaction show what was there before its messages (I2 of AttemptTx), so what they have changed so far
 *       is kept beside them in `Said`, and every later message of the same transaction is judged by that.
 */
export interface MessageDeps {
  readonly policy: PolicyPort;
  readonly tools: ToolPort;
}

/**
 * Which messages a call takes. `stops`: those that stop it; a word that it took might be heard by no model before the end.
 * `committing`: those, and a goal that is revised, for what is handed over must be what is asked for.
 * `acting`: all but a word on an effect or job, which would change the rows that the same transaction claims by. `settling`: what
 * counts while an attempt is being cancelled; whoever sent anything else is told at once that it does not. `reconcile`: a
 * person's word on an effect alone.
 */
export type TakePolicy = 'all' | 'acting' | 'stops' | 'committing' | 'settling' | 'reconcile' | 'none';

/** What the messages of one transaction have changed, by action id. */
export interface Said {
  readonly approvals: Map<string, Approval>;
  readonly effects: Map<string, Effect>;
  readonly jobs: Map<string, JobRow>;
}
export interface Taken {
  readonly cancel: boolean;
  readonly suspend: boolean;
  /** What was suspended goes on. */
  readonly resume: boolean;
  readonly said: {
    readonly approvals: ReadonlyMap<string, Approval>;
    readonly effects: ReadonlyMap<string, Effect>;
    readonly jobs: ReadonlyMap<string, JobRow>;
  };
}
export const nothingTaken: Taken = {
  cancel: false,
  suspend: false,
  resume: false,
  said: { approvals: new Map(), effects: new Map(), jobs: new Map() },
};

type Taking = Pick<Call, 'now' | 'beside'> & { readonly args: object };

/** Takes the messages that wait and that the policy names (I1). */
export async function takeMessages(
  deps: MessageDeps,
  tx: AttemptTx,
  call: Taking,
  policy: Exclude<TakePolicy, 'none'>,
): Promise<Taken> {
  if (tx.attempt.ended) {
    rejectMessages(tx, `The attempt had ended (${tx.attempt.state}).`);
    return nothingTaken;
  }
  const desk = new Desk(deps, tx, call);
  for (const message of tx.messages.filter((waiting) => waiting.takenBy === null)) {
    if (isTaken(policy, message)) await desk.take(message);
    else if (policy === 'settling')
      reject(tx, message, 'The attempt is being cancelled; nothing else is taken any more.');
  }
  return desk.taken();
}

function isTaken(policy: Exclude<TakePolicy, 'none'>, message: InboxRow): boolean {
  const { kind } = message;
  switch (policy) {
    case 'all':
      return true;
    case 'acting':
      return !isWordOnEffect(message);
    case 'stops':
      return kind === 'cancel' || kind === 'suspend';
    case 'committing':
      return isTaken('stops', message) || isRevision(message);
    case 'settling':
      return kind === 'cancel' || kind === 'reconcile' || kind === 'effectSettled' || kind === 'childEnded';
    case 'reconcile':
      return isWordOnEffect(message);
  }
}

const isWordOnEffect = (message: InboxRow): boolean =>
  message.kind === 'reconcile' || (message.kind === 'effectSettled' && 'tokenHash' in message.body);

/** One transaction's messages, one after the other (I2). */
class Desk {
  private cancel: boolean;
  private suspend: boolean;
  private resume = false;
  private readonly said: Said = { approvals: new Map(), effects: new Map(), jobs: new Map() };

  constructor(
    private readonly deps: MessageDeps,
    private readonly tx: AttemptTx,
    private readonly call: Taking,
  ) {
    this.cancel = takenBeside(tx, call.beside, 'cancel');
    this.suspend = takenBeside(tx, call.beside, 'suspend');
  }

  taken(): Taken {
    return { cancel: this.cancel, suspend: this.suspend, resume: this.resume, said: this.said };
  }

  async take(message: InboxRow): Promise<void> {
    const disposal = await this.disposal(message);
    switch (disposal.kind) {
      case 'taken':
        this.tx.dispose(message.id, 'taken');
        this.tx.emit({ type: 'message_taken', payload: { messageId: message.id, kind: message.kind } });
        disposal.write?.();
        return;
      case 'rejected':
        reject(this.tx, message, disposal.why);
        return;
      case 'left':
        return;
    }
  }

  private async disposal(message: InboxRow): Promise<Disposal> {
    const { deps, tx, call, said } = this;
    switch (message.kind) {
      case 'say':
        return message.body.revise
          ? await takeRevision(deps.policy, tx, message, said.approvals, () => hear(tx, message))
          : { kind: 'taken', write: () => hear(tx, message) };
      case 'cancel':
        this.cancel = true;
        return { kind: 'taken' };
      case 'suspend':
        return this.onSuspend();
      case 'resume':
        return await this.onResume(message);
      case 'approve':
      case 'deny':
        return await answerRequest(deps.policy, tx, call.now, message, said.approvals);
      case 'reconcile':
        return await reconcileByPerson(deps, tx, message, said.effects);
      case 'effectSettled':
        if (!('tokenHash' in message.body)) return { kind: 'taken' };
        return await settleJob(tx, call.now, message.body, said);
      case 'childEnded':
        return { kind: 'taken' }; // the child's row is what is looked at
      case 'unknown':
        return { kind: 'rejected', why: message.body.why };
    }
  }

  private onSuspend(): Disposal {
    if (this.tx.attempt.state === 'SUSPENDED' && !this.resume)
      return { kind: 'rejected', why: 'The attempt is suspended already; "holdfast resume" lets it go on.' };
    this.suspend = true;
    this.resume = false;
    return { kind: 'taken' };
  }

  /** Only the pause itself can be left, so a resume that comes with or just behind a suspend waits for it. */
  private async onResume(message: Extract<InboxRow, { kind: 'resume' }>): Promise<Disposal> {
    if (this.suspend && this.tx.attempt.state !== 'SUSPENDED') return { kind: 'left' };
    if (this.tx.attempt.state !== 'SUSPENDED')
      return {
        kind: 'rejected',
        why: `The attempt is not suspended (${this.tx.attempt.state}); nothing is to be resumed.`,
      };
    if (!isPause(this.call.args)) return { kind: 'left' };
    const disposal = await resumeAttempt(this.deps.policy, this.tx, message.body);
    if (disposal.kind === 'taken') {
      this.resume = true;
      this.suspend = false;
    }
    return disposal;
  }
}

const isPause = (args: object) => 'at' in args && args.at === 'pause';

function hear(tx: AttemptTx, { id, body: { text, by } }: Extract<InboxRow, { kind: 'say' }>): void {
  tx.insert('inputs', {
    ordinal: tx.lastInput + 1,
    turn: tx.attempt.turn,
    after_step: tx.attempt.step,
    kind: 'message',
    body: { text, ...(by === undefined ? {} : { by }), messageId: id },
  });
}
