import type { Command } from 'commander';
import { by, type Done, following, namedCommand } from './named-command';

/** What a person says to one action, and what is waited for. */
export function addAnswers(program: Command, done: Done): void {
  namedCommand(
    program,
    'inbox',
    'every pending approval, question and unknown effect, with the command that settles it',
    'holdfast inbox',
  ).action(async (options) => {
    const { inbox }: typeof import('../commands/inbox') = require('../commands/inbox');
    done(await inbox(options));
  });
  for (const [kind, what, example] of [
    ['approve', 'yes to exactly what an action is about to do', 'holdfast approve refund-1042/1 s2.a0 --by ana'],
    ['deny', 'no to it; the agent is told', 'holdfast deny refund-1042/1 s2.a0 --reason "Ask the carrier first."'],
  ] as const) {
    following(namedCommand(program, `${kind} <attempt> [action]`, what, example))
      .option('--reason <text>', 'why, for the record')
      .option('--binding <hash>', 'of the request that was looked at; the one that is open now where left out')
      .addOption(by())
      .action(async (attempt, action, options) => {
        const { answer }: typeof import('../commands/answer') = require('../commands/answer');
        done(await answer(kind, attempt, action, options));
      });
  }
}
