import type { AttemptStatus } from '../ledger/queries/attempt-status';
import type { AttemptRef } from '../protocol/ids';
import { attemptDocument } from '../requests/documents/attempt-document';
import type { Session } from '../requests/session';
import type { CommonOptions, FollowOptions } from './common-options';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes';
import { follow } from './follow';
import { printJson } from './output';
import { renderDetails } from './render-details';
import { tell, tellAside } from './tell';

/**
 * What `--watch` and `--wait` do: follow to the end, or with `--wait` to the end or the next pause; then say how it
 * stands. With `--json` the events are not shown, and the one document says how it stands. Returns the exit code.
 */
export async function conclude(
  session: Session,
  ref: AttemptRef,
  options: CommonOptions & FollowOptions & { readonly from?: number; readonly extra?: object },
): Promise<ExitCode> {
  const show = options.watch && !options.json ? ({ show: 'lines' } as const) : {};
  if (options.watch && !options.json && !options.wait)
    tellAside(session, `Ctrl-C ends the watching, not the attempt; \`holdfast watch ${ref.id}\` goes on.`);
  const status = await follow(session, ref, {
    until: options.wait ? 'settled' : 'end',
    from: options.from ?? 0,
    ...show,
  });
  await standing(session, ref, options);
  return exitOf(status);
}

async function standing(
  session: Session,
  ref: AttemptRef,
  options: CommonOptions & { readonly extra?: object },
): Promise<void> {
  const document = await attemptDocument(session, ref);
  if (options.json) printJson({ ...options.extra, ...document });
  else for (const line of ['', ...renderDetails(document)]) tell(session, line);
}

/** A settled status has a reason, except a cancel that waits for a person; one that runs has none that counts. */
function exitOf({ state, settled, reason }: AttemptStatus): ExitCode {
  if (settled && state === 'CANCELLING') return exitCodes.paused;
  return exitCodeOf(settled ? reason : null);
}
