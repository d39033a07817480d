import type { Command } from 'commander';
import { by, type Done, namedCommand } from './named-command';

/** What people do with the sealed tests of contracts. */
export function addContract(program: Command, done: Done): void {
  const contract = program
    .command('contract')
    .description('sealed tests: make one development material, or read what one found; both are on record')
    .addHelpText('after', '\nExample:\n  $ holdfast contract unseal fix-dates final --reason "its cases were wrong"');
  namedCommand(
    contract,
    'unseal <task> <criterion>',
    'makes a sealed test development material; the task then needs a new one before it starts',
    'holdfast contract unseal fix-dates final --reason "its cases were wrong"',
  )
    .option('--reason <text>', 'why; needed')
    .addOption(by())
    .action(async (task, criterion, options) => {
      const { contractUnseal }: typeof import('../commands/contract-unseal') = require('../commands/contract-unseal');
      done(await contractUnseal(task, criterion, options));
    });
  namedCommand(
    contract,
    'evidence <attempt> <criterion>',
    'what a sealed test found, for auditors',
    'holdfast contract evidence fix-dates/1 final --reason "the result is disputed"',
  )
    .option('--reason <text>', 'why; needed')
    .addOption(by())
    .action(async (attempt, criterion, options) => {
      const {
        contractEvidence,
      }: typeof import('../commands/contract-evidence') = require('../commands/contract-evidence');
      done(await contractEvidence(attempt, criterion, options));
    });
}
