import { feedbackAllowed } from '../domain/contract/feedback-allowed';
import type { Answered, Call } from '../protocol/calls';
import { chargeActiveTime } from './budget';
import { auditCheck } from './checks/audit';
import { checkCriterion } from './checks/check-criterion';
import type { Checked } from './checks/checked';
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
      async work(_work, abort) {
        const attempt = await deps.ledger.attempt(call.ref);
        return checkCriterion({ deps, attempt, audit: auditCheck(deps.ledger, call), signal: abort }, criterion);
      },
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
        if (!met && checked.untrusted && !tx.attempt.tainted) tx.update({ tainted: true });
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
