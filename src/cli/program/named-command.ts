import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from '../exit-codes';

/** Told the exit code of the command that ran. */
export type Done = (code: ExitCode) => void;

/** A command with what every command has. `example`: without `$`. */
export function namedCommand(parent: Command, usage: string, description: string, example: string): Command {
  const named = parent
    .command(usage)
    .description(description)
    .option('--json', 'one JSON document on standard output')
    .option('--tenant <name>', 'whose attempts', 'default')
    .option('--config <file>', 'instead of holdfast.yaml here, or HOLDFAST_CONFIG')
    .option('--data-dir <folder>', 'instead of .holdfast here, or HOLDFAST_DATA_DIR')
    .addHelpText('after', `\nExample:\n  $ ${example}`);
  if (usage.includes('<attempt>'))
    named.addHelpText(
      'after',
      '\nAn attempt is named by its id (repair/1), by the beginning of it, or by @last for the newest.',
    );
  if (usage.includes('action'))
    named.addHelpText(
      'after',
      `\nAn action is named by its place (s3.a0) or by its whole id (repair/1/s3.a0)${usage.includes('[action]') ? '; it may be left out where just one is meant' : ''}.`,
    );
  return named;
}

/** What `start`, `say`, `resume` and `compensate` take. */
export const following = (named: Command): Command =>
  named
    .option('--watch', 'follow it to its end')
    .option('--wait', 'wait for its end or for a pause in which somebody must act; the exit code says which');

export const by = (): Option => new Option('--by <name>', 'who says it (default: the login name)');

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It is a whole number.');
  return value;
}
