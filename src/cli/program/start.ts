import type { Command } from 'commander';
import { by, type Done, following, namedCommand } from './named-command';

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
    .addOption(by())
    .action(async (file, options) => {
      const { start }: typeof import('../commands/start') = require('../commands/start');
      done(await start(file, options));
    });
}
