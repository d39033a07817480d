import type { CommandCriterion } from '../../domain/contract/contract';
import { classifyCheck } from '../../domain/failure/exit';
import { keepOutput } from '../keep-output';
import type { ProcessResult } from '../ports';
import { cannotCheck } from './checked';
import type { Verifier } from './verifier';

/** Longest that a check's command may run where its criterion does not say, ms: a test suite, not a soak. */
export const commandCheckMs = 300_000;

/** The shell line ends with 0 in a clean copy at the candidate's snapshot; what it writes there goes with the copy. */
export const checkCommand: Verifier<CommandCriterion> = async ({ deps, attempt, signal }, criterion) => {
  const { ref, snapshot } = attempt;
  if (snapshot === null) return cannotCheck('NO_WORKSPACE');
  const timeoutMs = criterion.timeoutMs ?? commandCheckMs;
  const { run, files, sealed } = criterion;
  const ran = await deps.workspaces.execClean({ tenant: ref.tenant, attempt: ref.id }, snapshot, run, {
    timeoutMs,
    signal,
    ...(files && { files }),
    ...(sealed && { sealed }),
  });
  const failure = classifyCheck(ran);
  if (failure?.class === 'environment_drift') return { kind: 'failed', failure };
  const met = failure === undefined;
  return {
    kind: 'checked',
    met,
    snapshot,
    evidence: {
      detail: met ? '' : detailOf(ran.end, ran.exitCode, timeoutMs),
      ran: criterion.run,
      exitCode: ran.exitCode,
      durationMs: ran.durationMs,
      ...(await keepOutput(deps, ref.tenant, ran.output)),
    },
  };
};

function detailOf(end: ProcessResult['end'], exitCode: number | null, timeoutMs: number): string {
  switch (end) {
    case 'exited':
      return `The command ended with exit code ${exitCode}.`;
    case 'not_started':
      return 'The command could not be started.';
    case 'signalled':
      return 'The command was ended by a signal.';
    case 'timed_out':
      return `The command did not end within ${timeoutMs} ms.`;
  }
}
