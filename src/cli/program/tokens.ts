import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Role, roles } from '../../protocol/roles';
import { type Done, namedCommand } from './named-command';

/** A quarter, days: a token that nobody renews ends by itself. */
const usualDays = 90;

export function addTokens(program: Command, done: Done): void {
  const token = program
    .command('token')
    .description('who may use the gateway: make, list or revoke its bearer tokens')
    .addHelpText('after', '\nExample:\n  $ holdfast token create --principal ana --role user --role approver');
  namedCommand(
    token,
    'create',
    'makes a token for a person or a program and shows it, once',
    'holdfast token create --principal ana --role user --role approver --expires 30d',
  )
    .option('--principal <name>', 'who comes with it, as policies name people (default: the login name)')
    .addOption(
      new Option('--role <role>', `what it may do: ${roles.join(', ')}; may be given several times`)
        .choices(roles)
        .argParser((text: string, before: readonly Role[] = []) => [...before, role(text)])
        .default(undefined, 'user'),
    )
    .option('--expires <time>', 'from now, such as 12h or 30d', timeText, usualDays * dayMs)
    .action(async ({ role: given, ...options }) => {
      const { tokenCreate }: typeof import('../commands/token') = require('../commands/token');
      done(await tokenCreate({ ...options, role: given ?? ['user'] }));
    });
  namedCommand(token, 'list', 'the tokens of a tenant, without what opens the door', 'holdfast token list').action(
    async (options) => {
      const { tokenList }: typeof import('../commands/token') = require('../commands/token');
      done(await tokenList(options));
    },
  );
  namedCommand(
    token,
    'revoke <token>',
    'takes one back, by its id, at once',
    'holdfast token revoke 3f9a2c1b7d04',
  ).action(async (id, options) => {
    const { tokenRevoke }: typeof import('../commands/token') = require('../commands/token');
    done(await tokenRevoke(id, options));
  });
}

function role(text: string): Role {
  const known = roles.find((name) => name === text);
  if (known === undefined) throw new InvalidArgumentError(`It is one of ${roles.join(', ')}.`);
  return known;
}

const dayMs = 24 * 60 * 60 * 1_000;
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: dayMs };

function timeText(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const ms = unitMs[unit];
  if (count === undefined || ms === undefined) throw new InvalidArgumentError('It is a number and m, h or d, as 12h.');
  return Number(count) * ms;
}
