import type { MachineCriterion } from '../domain/contract/contract';
import type { Answered, Call } from '../protocol/calls';
import { chargeActiveTime } from './budget';
import { auditCheck } from './checks/audit';
import { checkCriterion } from './checks/check-criterion';
import type { Checked } from './checks/checked';
import type { ActivityDeps } from './deps';
import { ExecutionLostError } from './errors';
import { type EvidenceBody, LedgerUnavailableError } from './ledger-port';
import { numbered } from './numbered-call';
import { stopped } from './stopped';

/** The test itself broke; `why` may hold what it is made of. */
type Found = Checked | { readonly kind: 'broke'; readonly why: string };

/**
 * Makes one sealed test of a candidate (R3.4).
 *
 *   I1  What it is made of and what it found is written in one place, which only auditors are shown: never in an answer, an event, the
 *       common evidence, a log, or the message of an error, which Temporal would keep.
 *   I2  What it shows is shown to no model, so it taints nothing.
 */
export function createVerifySealed(deps: ActivityDeps) {
  return async (call: Call<'verifySealed'>, signal: AbortSignal): Promise<Answered<'verifySealed'>> => {
    const criterion = await sealedCriterion(deps, call);
    return numbered<'verifySealed', undefined, Found>(deps, 'verifySealed', call, signal, {
      takes: 'stops',
      open(tx, facts) {
        const stop = stopped(facts);
        if (stop || tx.attempt.ended) return { answer: stop ?? { kind: 'interrupted' } };
        const late = chargeActiveTime(tx, call.activeMs);
        return late ? { answer: late } : { work: undefined };
      },
      async work(_work, abort) {
        const attempt = await deps.ledger.attempt(call.ref);
        const scene = { deps, attempt, audit: auditCheck(deps.ledger, call), signal: abort };
        return checkCriterion(scene, criterion).catch((error: unknown) => broke(error, abort));
      },
      close(tx, _work, found) {
        const { candidate } = call.args;
        const about = { criterion: criterion.id, candidate };
        const keep = (body: EvidenceBody) => tx.insert('sealed_evidence', { ...about, body });
        if (found.kind !== 'checked') {
          const failure = found.kind === 'failed' ? found.failure : brokenTest;
          if (found.kind === 'broke') keep({ detail: found.why });
          tx.emit({ type: 'criterion_checked', payload: { ...about, met: false, code: failure.code } });
          return { kind: 'failed', failure };
        }
        const { met, evidence, snapshot } = found;
        if (evidence.artifact) tx.keepArtifact(evidence.artifact);
        keep(evidence);
        tx.insert('evidence', { ...about, met, snapshot, body: { detail: met ? '' : shown } }); // I1
        tx.emit({ type: 'criterion_checked', payload: { ...about, met } });
        return { kind: 'checked', met };
      },
      async cancelled(_tx, _work, { take, interrupted }) {
        await take();
        return interrupted;
      },
    });
  };
}

const shown = 'A sealed test is not met; what it found is for auditors.';
const brokenTest = { class: 'environment_drift', code: 'SEALED_TEST_BROKE' } as const;

async function sealedCriterion(deps: ActivityDeps, { ref, args }: Call<'verifySealed'>): Promise<MachineCriterion> {
  const { acceptance } = await deps.ledger.contract(ref);
  const criterion = acceptance.find(({ id }) => id === args.criterion);
  if (criterion?.sealed && criterion.check !== 'human') return criterion;
  throw new Error(`The contract of ${ref.id} has no sealed test ${args.criterion}.`);
}

/** What says nothing of the test goes on; any other error is kept here (I1). */
function broke(error: unknown, signal: AbortSignal): Found {
  const passesOn = error instanceof LedgerUnavailableError || error instanceof ExecutionLostError;
  if (signal.aborted || passesOn) throw error;
  return { kind: 'broke', why: String(error) };
}
