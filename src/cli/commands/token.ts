import { principalPattern } from '../../domain/policy/names';
import { listTokens, makeToken, revokeToken } from '../../ledger/tokens';
import type { Role } from '../../protocol/roles';
import { commandText } from '../../requests/words/command-text';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { loginName } from '../login-name';
import { note, printJson, printTable, say } from '../output';
import { withSession } from '../session';

export interface TokenCreateOptions extends CommonOptions {
  readonly principal?: string;
  readonly role: readonly Role[];
  /** Ms from now. */
  readonly expires: number;
}

/** Makes a bearer token for the gateway and shows it, this once. */
export function tokenCreate(options: TokenCreateOptions): Promise<ExitCode> {
  const { principal = loginName(), role: roles, expires } = options;
  if (!principalPattern.test(principal))
    throw new CliError(exitCodes.usage, `"${principal}" is no name: it must match ${principalPattern}.`);
  return withSession(options, async ({ pool, tenant, config }) => {
    const expiresAt = new Date(Date.now() + expires);
    const { id, token } = await makeToken(pool, { tenant, principal, roles, madeBy: loginName(), expiresAt });
    const { principals } = config.policy;
    if (principals.length > 0 && !principals.some(({ name }) => name === principal))
      note(
        `The configuration names no principal "${principal}", so a rule that asks for certain people asks for others.`,
      );
    if (options.json) {
      printJson({ id, token, tenant, principal, roles, expiresAt: expiresAt.toISOString() });
      return exitCodes.done;
    }
    note(
      `Token ${id} for ${principal} in the tenant "${tenant}" (${roles.join(', ')}), until ${expiresAt.toISOString()}. It is shown once:`,
    );
    say(token);
    return exitCodes.done;
  });
}

export function tokenList(options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async ({ pool, tenant }) => {
    const tokens = await listTokens(pool, tenant);
    if (options.json) printJson(tokens);
    else if (tokens.length === 0)
      note(`The tenant "${tenant}" has no token. Make one: \`${commandText(tenant, 'token create')}\`.`);
    else
      printTable(
        ['token', 'principal', 'roles', 'made by', 'made', 'expires', 'revoked'],
        tokens.map(({ id, principal, roles, madeBy, at, expiresAt, revokedAt, revokedBy }) => [
          id,
          principal,
          roles.join(', '),
          madeBy,
          at,
          expiresAt,
          revokedAt === null ? '' : `${revokedAt} by ${revokedBy}`,
        ]),
      );
    return exitCodes.done;
  });
}

export function tokenRevoke(id: string, options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async ({ pool, tenant }) => {
    const by = loginName();
    if (!(await revokeToken(pool, tenant, id, by)))
      throw new CliError(
        exitCodes.usage,
        `The tenant "${tenant}" has no token "${id}" that could be revoked.`,
        `\`${commandText(tenant, 'token list')}\` shows those that there are.`,
      );
    if (options.json) printJson({ id, revokedBy: by });
    else say(`Revoked ${id}: whoever has it comes in no more, and readers who came with it are sent away within 15 s.`);
    return exitCodes.done;
  });
}
