import type { MachineCriterion } from '../domain/contract/contract';
import { feedbackAllowed } from '../domain/contract/feedback-allowed';
import type { Answered, Call } from '../protocol/calls';
import { chargeActiveTime } from './budget';
import { auditCheck } from './checks/audit';
import { checkCriterion } from './checks/check-criterion';
import type { Checked } from './checks/checked';
import { humanVerdict } from './checks/human';
import type { ActivityDeps } from './deps';
import type { ActionRow } from './ledger-port';
import { numbered } from './numbered-call';
import { stopped } from './stopped';

/** Checks one criterion against one candidate and keeps the evidence (R3). A check that cannot start judges nothing. */
export function createVerify(deps: ActivityDeps) {
  return async (call: Call<'verify'>, signal: AbortSignal): Promise<Answered<'verify'>> => {
    const contract = await deps.ledger.contract(call.ref);
    const criterion = contract.acceptance.find(({ id }) => id === call.args.criterion);
    if (!criterion || criterion.sealed)
      throw new Error(`The contract of ${call.ref.id} has no open criterion ${call.args.criterion}.`);

    const finish = criterion.check === 'human' ? await finishOf(deps, call) : undefined;

    return numbered<'verify', MachineCriterion, Checked>(deps, 'verify', call, signal, {
      takes: 'stops',
      workspace: true,
      async open(tx, facts) {
        const stop = stopped(facts);
        if (stop || tx.attempt.ended) return { answer: stop ?? { kind: 'interrupted' } };
        const late = chargeActiveTime(tx, call.activeMs);
        if (late) return { answer: late };
        if (criterion.check !== 'human') return { work: criterion };
        return { answer: await humanVerdict({ deps, tx, call, contract, criterion, finish }) };
      },
      async work(machine, abort) {
        const attempt = await deps.ledger.attempt(call.ref);
        return checkCriterion({ deps, attempt, audit: auditCheck(deps.ledger, call), signal: abort }, machine);
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

/** The call that made the candidate one; it is the only one of its step. */
async function finishOf(deps: ActivityDeps, { ref }: Call<'verify'>): Promise<ActionRow | undefined> {
  const { step } = await deps.ledger.attempt(ref);
  const action = await deps.ledger.action(ref, step, 0);
  return action?.tool === 'finish' ? action : undefined;
}
