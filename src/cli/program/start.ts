import type { Command } from 'commander';
import { attemptsMax } from '../../requests/acts/attempts-beside';
import { by, type Done, following, namedCommand, wholeNumber } from './named-command';

export function addStart(program: Command, done: Done): void {
  following(
    namedCommand(
      program,
      'start <task-file>',
      "starts a task's next attempt",
      'holdfast start examples/repair/task.yaml --watch',
    ),
  )
    .option('--input <text>', 'the first message, instead of the one in the file')
    .option('--model <name>', 'the model, instead of the one in the file')
    .option('--again', 'another attempt, also where the task is completed under the same contract')
    .option('--new', 'another attempt beside one that runs')
    .option(
      '--attempts <number>',
      `so many attempts side by side (up to ${attemptsMax}), each with the whole budget; the first that meets the contract is the result, and the others are cancelled`,
      wholeNumber,
    )
    .addHelpText('after', '  $ holdfast start task.yaml --attempts 3 --wait')
    .addOption(by())
    .action(async (file, options) => {
      const { start }: typeof import('../commands/start') = require('../commands/start');
      done(await start(file, options));
    });
  following(
    namedCommand(
      program,
      'fork <attempt>',
      'begins a new attempt of the same task from a checkpoint of this one, with its files and what its record says',
      'holdfast fork repair/1 --at c14 --watch',
    ),
  )
    .option('--at <checkpoint>', 'by its place (c14) or its whole id; `show` lists them (default: the newest)')
    .addHelpText(
      'after',
      '\nWhat the other attempt did outside stands: it is known, and not done again. If it still runs, it goes on by itself.',
    )
    .addOption(by())
    .action(async (attempt, options) => {
      const { fork }: typeof import('../commands/fork') = require('../commands/fork');
      done(await fork(attempt, options));
    });
}
