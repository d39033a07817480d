import type { AttemptInput } from '../../../src/protocol/attempt';
import { Decision, type Delivery, type Task } from './fake-engine';
import type { FakeLedger } from './fake-ledger';
import { seeded } from './world';

/** Decides one workflow task, with all its local calls, against the ledger. What is returned may be kept or thrown away. */
export async function decide(
  input: AttemptInput,
  ledger: FakeLedger,
  history: readonly Task[],
  ...delivered: Delivery[]
): Promise<Decision> {
  const live: Task = { now: 1_000_000 + history.length, suggestsNewRun: false, delivered, locals: [] };
  const decision = new Decision(input, history, live, seeded(1));
  await decision.begin();
  while (decision.pendingLocal) {
    const result = { answered: decision.pendingLocal.execute(ledger) };
    live.locals.push(result);
    await decision.resolveLocal(result);
  }
  if (decision.outcome && 'error' in decision.outcome) throw decision.outcome.error;
  return decision;
}

export const signal = (name: string, argument: unknown): Delivery => ({ kind: 'signal', name, argument });

/** The numbered calls of a ledger, shortly: `3 record pause`. */
export const moves = (ledger: FakeLedger): string[] =>
  ledger.moves.map(({ n, kind, args, answered }) => `${n} ${kind}${at(args)} → ${answered.answer.kind}`);
const at = (args: unknown): string => (typeof args === 'object' && args && 'at' in args ? ` ${args.at}` : '');
