import type { Command } from 'commander';
import { by, type Done, following, namedCommand } from './named-command';

/** What a person tells an attempt as a whole. */
export function addMessages(program: Command, done: Done): void {
  following(
    namedCommand(
      program,
      'say <attempt> <text>',
      'a user message: an answer, a revision of the goal, or the next turn of a dialog that has completed',
      'holdfast say @last "Refund 20 only." --revise --watch',
    ),
  )
    .option('--revise', 'it revises the goal: what was proposed before is decided anew, and what was approved is void')
    .addOption(by())
    .action(async (attempt, text, options) => {
      const { say }: typeof import('../commands/say') = require('../commands/say');
      done(await say(attempt, text, options));
    });
  namedCommand(
    program,
    'cancel <attempt>',
    'asks an attempt to end',
    'holdfast cancel repair/1 --reason "no longer needed" --wait',
  )
    .option('--reason <text>', 'why, for the record')
    .option('--wait', 'wait for the end, or until a person has to say what became of an effect')
    .addOption(by())
    .action(async (attempt, options) => {
      const { cancel }: typeof import('../commands/cancel') = require('../commands/cancel');
      done(await cancel(attempt, options));
    });
  namedCommand(
    program,
    'suspend <attempt>',
    'stops an attempt where it is, until it is resumed',
    'holdfast suspend repair/1',
  )
    .option('--wait', 'wait until it is suspended')
    .addOption(by())
    .action(async (attempt, options) => {
      const { suspend }: typeof import('../commands/suspend') = require('../commands/suspend');
      done(await suspend(attempt, options));
    });
  following(
    namedCommand(
      program,
      'resume <attempt>',
      'lets a suspended attempt go on, with limits raised where it needs that',
      'holdfast resume repair/1 --budget maxCostUsd=5 --watch',
    ),
  )
    .option(
      '--budget <limit=value>',
      'raises a limit of the budget, by its name in the task file; can be repeated',
      collected,
    )
    .addOption(by())
    .action(async (attempt, options) => {
      const { resume }: typeof import('../commands/resume') = require('../commands/resume');
      done(await resume(attempt, options));
    });
}

/** Every value of an option that can be repeated. */
const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
