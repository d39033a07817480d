import type { AttemptTx, EffectChange, Inserts, LedgerPort, NewEffect } from '../../../src/activities/ledger-port';
import type { EffectPhase } from '../../../src/domain/effect/effect';
import type { CallKind } from '../../../src/protocol/calls';
import { taskOf } from '../../../src/protocol/ids';
import type { Trigger } from './trigger';

/** In a batch of four, the second has its outcome and the third has not begun. */
const middleOfBurst = 1;

/** What one transaction wrote, as far as a point is known by it. */
interface Written {
  claims?: CallKind;
  answers?: CallKind;
  phase?: EffectPhase;
  observes?: number;
}

/** The ledger, whose transactions tell the trigger which point of a write they are. Changes nothing. */
export function watchedLedger(ledger: LedgerPort, trigger: Trigger): LedgerPort {
  return {
    ...ledger,
    async transact(ref, scope, work) {
      const task = taskOf(ref.id);
      if (!trigger.waitsFor(task)) return await ledger.transact(ref, scope, work);
      let written: Written = {};
      const result = await ledger.transact(ref, scope, async (tx) => {
        written = {}; // a conflict has it done again
        const value = await work(watchedTx(tx, written));
        await beforeCommit(trigger, task, written);
        return value;
      });
      await afterCommit(trigger, task, written);
      return result;
    },
  };
}

async function beforeCommit(trigger: Trigger, task: string, { answers }: Written): Promise<void> {
  if (answers === 'think') await trigger.reach('before_intent', task);
  if (answers === 'act') await trigger.reach('before_outcome', task);
}

async function afterCommit(trigger: Trigger, task: string, written: Written): Promise<void> {
  const { claims, answers, phase, observes } = written;
  if (answers === 'think') await trigger.reach('after_intent', task);
  if (claims === 'act' && phase === 'CLAIMED') await trigger.reach('claimed', task);
  if (phase === 'SENT') await trigger.reach('sent', task);
  if (answers !== 'act') return;
  if (observes === middleOfBurst) await trigger.reach('in_burst', task);
  await trigger.reach('after_outcome', task);
  await trigger.reach('before_completion', task);
}

function watchedTx(tx: AttemptTx, written: Written): AttemptTx {
  const watches: Partial<AttemptTx> = {
    claim(execution) {
      written.claims = execution.kind;
      tx.claim(execution);
    },
    answer(kind, argsHash, answered) {
      written.answers = kind;
      tx.answer(kind, argsHash, answered);
    },
    insertEffect(row: NewEffect) {
      written.phase = row.phase;
      tx.insertEffect(row);
    },
    updateEffect(ref, fence, change: EffectChange) {
      if (change.phase) written.phase = change.phase;
      tx.updateEffect(ref, fence, change);
    },
    insert<T extends keyof Inserts>(table: T, row: Inserts[T]) {
      if (table === 'observations' && 'index' in row) written.observes = row.index;
      tx.insert(table, row);
    },
  };
  return new Proxy(tx, {
    get(_target, name) {
      const watch: unknown = Reflect.get(watches, name);
      if (watch) return watch;
      const value: unknown = Reflect.get(tx, name, tx);
      return typeof value === 'function' ? value.bind(tx) : value;
    },
  });
}
