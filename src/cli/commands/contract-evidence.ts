import { readSealed, type SealedFinding } from '../../ledger/read-sealed';
import { taskOf } from '../../protocol/ids';
import { find } from '../../requests/naming/find';
import type { Session } from '../../requests/session';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { loginName } from '../login-name';
import { neededReason } from '../needed-reason';
import { printJson, say } from '../output';
import { withSession } from '../session';

export interface EvidenceOptions extends CommonOptions {
  readonly reason?: string;
  readonly by?: string;
}

/** The role that a principal needs who reads what sealed tests found, where principals are configured. */
const auditorRole = 'auditor';

/** What a sealed test found, for auditors; that it was read is on record (R3.4). */
export function contractEvidence(given: string, criterion: string, options: EvidenceOptions): Promise<ExitCode> {
  const reason = neededReason('To read what a sealed test found', options.reason, 'the candidate is disputed');
  return withSession(options, async (session) => {
    const { by = loginName() } = options;
    refuseOthers(session, by);
    const ref = await find(session, given);
    const attempt = { tenant: ref.tenant, task: taskOf(ref.id), key: ref.key };
    const findings = await readSealed(session.pool, attempt, { criterion, by, reason });
    if (findings.length === 0)
      throw new CliError(
        exitCodes.usage,
        `${ref.id} has no evidence of a sealed test "${criterion}".`,
        `\`holdfast show ${ref.id}\` lists its checks.`,
      );
    if (options.json) printJson({ attemptId: ref.id, criterion, findings });
    else for (const finding of findings) say(words(finding));
    return exitCodes.done;
  });
}

function refuseOthers({ config }: Session, by: string): void {
  const { principals } = config.policy;
  if (principals.length === 0 || principals.some(({ name, roles }) => name === by && roles.includes(auditorRole)))
    return;
  throw new CliError(
    exitCodes.refused,
    `${by} is no auditor.`,
    `Name one with --by, or give a principal of holdfast.yaml the role ${auditorRole}.`,
  );
}

function words({ candidate, at, body }: SealedFinding): string {
  const { ran, detail, output } = body;
  const lines = [`candidate ${candidate}, ${at}: ${detail === '' ? 'met' : String(detail)}`];
  if (typeof ran === 'string') lines.push(`ran: ${ran}`);
  if (typeof output === 'string') lines.push(output.trimEnd());
  return lines.join('\n');
}
