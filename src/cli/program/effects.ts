import type { Command } from 'commander';
import { by, type Done, following, namedCommand } from './named-command';

/** What attempts do outside, and what a person says and does about it. */
export function addEffects(program: Command, done: Done): void {
  namedCommand(
    program,
    'effects <attempt>',
    'the effect ledger of an attempt, one row an effect',
    'holdfast effects @last --json',
  )
    .option('--refused', 'only the writes that were not let through, and by whom')
    .action(async (attempt, options) => {
      const { effects }: typeof import('../commands/effects') = require('../commands/effects');
      done(await effects(attempt, options));
    });
  namedCommand(
    program,
    'reconcile <attempt> [action]',
    'says what became of an effect that nobody else can tell of',
    `holdfast reconcile mail-1044/1 s2.a0 --committed --evidence "mail-9 in the shop's log"`,
  )
    .option('--committed', 'it happened')
    .option('--not-committed', 'it did not happen, and cannot any more')
    .option('--evidence <text>', 'what was looked at; needed')
    .addOption(by())
    .action(async (attempt, action, options) => {
      const { reconcile }: typeof import('../commands/reconcile') = require('../commands/reconcile');
      done(await reconcile(attempt, action, options));
    });
  following(
    namedCommand(
      program,
      'compensate <attempt> [action]',
      "undoes a committed effect by its tool's compensation, as a small attempt of its own",
      'holdfast compensate refund-1042/1 s2.a0 --watch',
    ),
  )
    .option('--args <json>', 'arguments, instead of those that the tool declares')
    .addOption(by())
    .action(async (attempt, action, options) => {
      const { compensate }: typeof import('../commands/compensate') = require('../commands/compensate');
      done(await compensate(attempt, action, options));
    });
  namedCommand(
    program,
    'revoke',
    'takes a leave back for good; it is read again before every send',
    'holdfast revoke --tool send_email --reason "wrong sender address"',
  )
    .option('--tool <name>', 'no call of this tool any more')
    .option('--target <target>', 'nothing that acts on this any more, such as order:1042')
    .option('--principal <name>', 'nothing that this person started or approved any more')
    .option('--approval <action>', 'the approval of this action, by its whole id')
    .option('--credential <domain>', 'nothing with these credentials any more')
    .option('--reason <text>', 'why; needed')
    .option('--list', 'what is revoked')
    .addOption(by())
    .action(async (options) => {
      const { revoke }: typeof import('../commands/revoke') = require('../commands/revoke');
      done(await revoke(options));
    });
}
