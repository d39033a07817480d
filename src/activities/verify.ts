import type { Criterion } from '../domain/contract/contract';
import type { Answered, Call } from '../protocol/calls';
import { auditCheck } from './audit-check';
import { chargeActiveTime } from './budget';
import { checkCriterion } from './check-criterion';
import type { Checked } from './checked';
import type { ActivityDeps } from './deps';
import { numbered } from './numbered-call';
import { stopped } from './stopped';

/** Checks one criterion against one candidate and keeps the evidence (R3). A check that cannot start judges nothing. */
export function createVerify(deps: ActivityDeps) {
  return async (call: Call<'verify'>, signal: AbortSignal): Promise<Answered<'verify'>> => {
    const contract = await deps.ledger.contract(call.ref);
    const criterion = contract.acceptance.find(({ id }) => id === call.args.criterion);
    if (!criterion) throw new Error(`The contract of ${call.ref.id} has no criterion ${call.args.criterion}.`);

    return numbered<'verify', undefined, Checked>(deps, 'verify', call, signal, {
      takes: 'stops',
      open(tx, facts) {
        const stop = stopped(facts);
        if (stop || tx.attempt.ended) return { answer: stop ?? { kind: 'interrupted' } };
        const late = chargeActiveTime(tx, call.activeMs);
        return late ? { answer: late } : { work: undefined };
      },
      work: async (_work, abort) =>
        checkCriterion(deps, await deps.ledger.attempt(call.ref), criterion, auditCheck(deps.ledger, call), abort),
      close(tx, _work, checked) {
        const { candidate } = call.args;
        if (checked.kind === 'failed') {
          tx.emit({
            type: 'criterion_checked',
            payload: { criterion: criterion.id, met: false, candidate, code: checked.failure.code },
          });
          return { kind: 'failed', failure: checked.failure };
        }
        const { met, evidence, snapshot } = checked;
        if (evidence.artifact) tx.keepArtifact(evidence.artifact);
        if (!met && isUntrusted(deps, criterion) && !tx.attempt.tainted) tx.update({ tainted: true });
        tx.insert('evidence', { candidate, criterion: criterion.id, met, snapshot, body: evidence });
        tx.emit({ type: 'criterion_checked', payload: { criterion: criterion.id, met, candidate } });
        return { kind: 'checked', met, feedback: feedbackAllowed(criterion) };
      },
      async cancelled(_tx, _work, { take, interrupted }) {
        await take();
        return interrupted;
      },
    });
  };
}

/** R3.4 */
const feedbackAllowed = (criterion: Criterion) => criterion.repair !== false;

/** What a check of this kind prints is shown to the model, and nobody here vouches for it. */
const isUntrusted = (deps: ActivityDeps, criterion: Criterion) =>
  criterion.check === 'external' && deps.tools.get(criterion.tool)?.untrusted === true;
