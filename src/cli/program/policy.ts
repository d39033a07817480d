import type { Command } from 'commander';
import { type Done, namedCommand } from './named-command';

export function addPolicy(program: Command, done: Done): void {
  const policy = program
    .command('policy')
    .description('what may be done by whose leave: check its files, or explain a decision')
    .addHelpText('after', '\nExample:\n  $ holdfast policy check');
  namedCommand(
    policy,
    'check [files...]',
    'reads the policy as a worker would, against every tool, and says all that is wrong or doubtful',
    'holdfast policy check policy/shop.yaml',
  ).action(async (files, options) => {
    const { policyCheck }: typeof import('../commands/policy-check') = require('../commands/policy-check');
    done(await policyCheck(files, options));
  });
  namedCommand(
    policy,
    'explain <attempt> <action>',
    'what each rule says of an action, and which one decides',
    'holdfast policy explain refund-1042/1 s2.a0',
  ).action(async (attempt, action, options) => {
    const { policyExplain }: typeof import('../commands/policy-explain') = require('../commands/policy-explain');
    done(await policyExplain(attempt, action, options));
  });
}
