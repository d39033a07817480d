import type { RevocationKind } from '../../activities/ledger-port';
import { listRevocations, revoke as store } from '../../ledger/effects/revocations';
import type { Session } from '../../requests/session';
import { commandText } from '../../requests/words/command-text';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { loginName } from '../login-name';
import { note, printJson, printTable, say } from '../output';
import { revokesNothing } from '../revokes-nothing';
import { withSession } from '../session';
import { tellAside } from '../tell';

type Kinds = Readonly<Partial<Record<RevocationKind, string>>>;

export interface RevokeOptions extends CommonOptions, Kinds {
  readonly reason?: string;
  readonly by?: string;
  readonly list?: boolean;
}

const kinds: readonly RevocationKind[] = ['tool', 'target', 'principal', 'approval', 'credential'];
const actionPattern = /^[a-z0-9][a-z0-9._-]{0,62}\/\d+\/s\d+\.a\d+$/;

/** Takes a leave back, for all attempts of a tenant and for good; it is read again before every send (R4.9). */
export async function revoke(options: RevokeOptions): Promise<ExitCode> {
  if (options.list) return withSession(options, (session) => list(session, options));
  const { kind, value } = revokedBy(options, options.tenant);
  const { reason = '', by = loginName() } = options;
  if (reason.trim() === '') {
    throw new CliError(exitCodes.usage, 'A revocation needs a reason.', 'Say why: --reason "the key was leaked".');
  }
  return withSession(options, async (session) => {
    const { pool, tenant } = session;
    await store(pool, tenant, { kind, value, reason, by });
    if (options.json) printJson({ tenant, kind, value, reason, by });
    else
      say(`Revoked the ${kind} ${value}, by ${by}: nothing more is sent with it. What was sent before stays as it is.`);
    // A revocation is made in a hurry; that its name could not be looked up is no reason to say that it failed.
    const warning = await revokesNothing(session, kind, value).catch(() => undefined);
    if (warning !== undefined) tellAside(session, warning);
    return exitCodes.done;
  });
}

function revokedBy(options: Kinds, tenant: string): { readonly kind: RevocationKind; readonly value: string } {
  const given = kinds.flatMap((kind) => {
    const value = options[kind];
    return value === undefined ? [] : [{ kind, value: value.trim() }];
  });
  const [only, ...others] = given;
  const names = kinds.map((kind) => `--${kind}`).join(', ');
  if (only === undefined || others.length > 0) {
    const what = only === undefined ? 'Nothing is named to revoke.' : 'One thing is revoked at a time.';
    throw new CliError(exitCodes.usage, what, `Name one of ${names}, such as --tool send_email.`);
  }
  if (only.value === '') throw new CliError(exitCodes.usage, `--${only.kind} names nothing.`);
  if (only.kind === 'approval' && !actionPattern.test(only.value)) {
    const next = `It is revoked by the whole id of its action, such as refund-1042/1/s2.a0; \`${commandText(tenant, 'effects ATTEMPT')}\` shows it.`;
    throw new CliError(exitCodes.usage, `"${only.value}" names no approval.`, next);
  }
  return only;
}

async function list({ pool, tenant }: Session, { json }: CommonOptions): Promise<ExitCode> {
  const listed = await listRevocations(pool, tenant);
  if (json) printJson(listed);
  else if (listed.length === 0) note(`Nothing is revoked in the tenant "${tenant}".`);
  else
    printTable(
      ['kind', 'value', 'by', 'at', 'reason'],
      listed.map((one) => [one.kind, one.value, one.by, one.at, one.reason]),
    );
  return exitCodes.done;
}
