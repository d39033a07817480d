import type { AttemptStatus } from '../../ledger/queries/attempt-status';
import type { AttemptRef } from '../../protocol/ids';
import { type AttemptDocument, attemptDocument } from '../../requests/documents/attempt-document';
import type { Session } from '../../requests/session';
import type { TaskFile } from '../../requests/task/task-file';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodeOf } from '../exit-codes';
import { follow } from '../follow';
import { note, say } from '../output';
import { renderDetails } from '../render-details';
import { type DemoAttempt, demoAttempt } from './demo-attempt';

export interface DemoResult {
  readonly code: ExitCode;
  readonly ref: AttemptRef;
  /** What `--json` prints of it. */
  readonly document: AttemptDocument &
    Pick<DemoAttempt, 'replaced'> & { readonly workflowId: string; readonly outcome: string };
}

/** What may be done about a pause. `over`: nothing, and the demo goes on without this task. */
export type OnPause = (ref: AttemptRef, status: AttemptStatus) => Promise<'answered' | 'over'>;

/** Leads one task to its end, or to a pause that nobody ends, and shows it. */
export async function demoTask(
  session: Session,
  file: TaskFile,
  options: CommonOptions,
  onPause: OnPause = async () => 'over',
): Promise<DemoResult> {
  const begun = await demoAttempt(session, file, note);
  const { ref } = begun.attempt;
  if (!options.json) {
    say();
    if (begun.kind === 'running') say(`Going on with ${ref.id}, which an earlier demo left in the middle.`);
    say(`Task: ${file.contract.goal}`);
  }
  const show = options.json ? {} : ({ show: 'lines' } as const);
  let status = await follow(session, ref, { until: 'settled', from: 0, ...show });
  while (!status.ended && (await onPause(ref, status)) === 'answered') {
    status = await follow(session, ref, { until: 'settled', from: status.sequence, ...show });
  }
  const document = await attemptDocument(session, ref);
  if (!options.json) for (const line of ['', ...renderDetails(withoutApprovals(document))]) say(line);
  const { kind, replaced } = begun;
  return {
    code: exitCodeOf(status.reason),
    ref,
    document: { outcome: kind, replaced, ...document },
  };
}

/** What was asked has been shown, and how the demo goes on with it: the commands would find neither its people nor its shop. */
function withoutApprovals(document: AttemptDocument): AttemptDocument {
  return { ...document, pending: document.pending.filter(({ kind }) => kind !== 'approval') };
}
