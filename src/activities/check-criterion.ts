import type { CommandCriterion, Criterion, DiffCriterion } from '../domain/contract/contract';
import { checkDiff, problemInWords } from '../domain/contract/diff-check';
import { classifyCheck } from '../domain/failure/exit';
import type { Audit } from './audit-check';
import { checkExternal } from './check-external';
import type { Checked } from './checked';
import type { ActivityDeps } from './deps';
import { keepOutput } from './keep-output';
import type { AttemptRow } from './ledger-port';
import { ArtifactError, type ProcessResult, WorkspaceError } from './ports';

/** Longest that a check's command may run where its criterion does not say, ms: a test suite, not a soak. */
export const commandCheckMs = 300_000;

/** Runs one check on the candidate. Rejects only with the signal's reason. */
export async function checkCriterion(
  deps: ActivityDeps,
  attempt: AttemptRow,
  criterion: Criterion,
  audit: Audit,
  signal: AbortSignal,
): Promise<Checked> {
  try {
    return criterion.check === 'external'
      ? await checkExternal(deps, attempt, criterion, audit, signal)
      : await checkWorkspace(deps, attempt, criterion, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof WorkspaceError || error instanceof ArtifactError)) throw error;
    return { kind: 'failed', failure: error.failure };
  }
}

async function checkWorkspace(
  deps: ActivityDeps,
  attempt: AttemptRow,
  criterion: DiffCriterion | CommandCriterion,
  signal: AbortSignal,
): Promise<Checked> {
  const { snapshot, baseCommit } = attempt;
  if (snapshot === null || baseCommit === null)
    return { kind: 'failed', failure: { class: 'environment_drift', code: 'NO_WORKSPACE' } };
  switch (criterion.check) {
    case 'diff':
      return await checkDiffOf(deps, attempt, criterion, baseCommit, snapshot);
    case 'command':
      return await checkCommand(deps, attempt, criterion, snapshot, signal);
  }
}

async function checkDiffOf(
  deps: ActivityDeps,
  { ref }: AttemptRow,
  criterion: DiffCriterion,
  base: string,
  snapshot: string,
): Promise<Checked> {
  const changed = await deps.workspaces.changedFiles({ tenant: ref.tenant, attempt: ref.id }, base, snapshot);
  const problems = checkDiff(
    criterion,
    changed.map((file) => file.path),
  );
  return {
    kind: 'checked',
    met: problems.length === 0,
    snapshot,
    evidence: {
      detail: problems.map(problemInWords).join(' '),
      ran: 'diff',
      output: changed.map((file) => `${file.status} ${file.path}`).join('\n'),
    },
  };
}

async function checkCommand(
  deps: ActivityDeps,
  { ref }: AttemptRow,
  criterion: CommandCriterion,
  snapshot: string,
  signal: AbortSignal,
): Promise<Checked> {
  const timeoutMs = criterion.timeoutMs ?? commandCheckMs;
  const ran = await deps.workspaces.execClean({ tenant: ref.tenant, attempt: ref.id }, snapshot, criterion.run, {
    timeoutMs,
    signal,
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
}

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
