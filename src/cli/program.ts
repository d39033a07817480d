import { Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from './exit-codes';
import { installedVersion } from './installed-version';

/** By its variables: the file is in docs/configuration.md. */
const modelHelp = [
  'OPENAI_API_KEY or ANTHROPIC_API_KEY, with HOLDFAST_MODEL for another than the usual model; or',
  'HOLDFAST_MODEL and HOLDFAST_MODEL_BASE_URL for any server that speaks the OpenAI protocol,',
  'with HOLDFAST_MODEL_API_KEY where it asks for a key; or holdfast.yaml (docs/configuration.md).',
].join('\n  ');

/** Told the exit code of the command that ran. */
type Done = (code: ExitCode) => void;

/**
 * The commands by name, with their options and an example each. What a command does is loaded when it is run, so that
 * `--help` and a wrong option cost nothing but this file.
 */
export function createProgram(done: Done): Command {
  const program = new Command('holdfast')
    .description('Runs agents whose work survives crashes, and that never act twice.')
    .version(installedVersion())
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nFirst steps:\n  $ holdfast demo\n  $ holdfast up                          in one terminal\n  $ holdfast start TASK.yaml --watch     in another' +
        `\n\nA model:\n  ${modelHelp}`,
    );
  addServers(program, done);
  addStart(program, done);
  addMessages(program, done);
  addReads(program, done);
  return program;
}

function addServers(program: Command, done: Done): void {
  command(program, 'up', 'Temporal, PostgreSQL and the worker on this machine, until Ctrl-C', 'holdfast up').action(
    async (options) => {
      const { up }: typeof import('./commands/up') = require('./commands/up');
      done(await up(options));
    },
  );
  command(
    program,
    'demo',
    'starts everything; an agent repairs a bug under its tests, another refunds an order once a person approves',
    'holdfast demo --yes',
  )
    .option(
      '--yes',
      'approve the refund without asking; in a pipe nobody is asked, and without this it waits (exit code 3)',
    )
    .action(async (options) => {
      const { demo }: typeof import('./commands/demo') = require('./commands/demo');
      done(await demo(options));
    });
  command(
    program,
    'doctor',
    'checks what Holdfast needs, and says what to do about each that fails',
    'holdfast doctor',
  ).action(async (options) => {
    const { doctor }: typeof import('./commands/doctor') = require('./commands/doctor');
    done(await doctor(options));
  });
}

function addStart(program: Command, done: Done): void {
  following(
    command(
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
    .action(async (file, options) => {
      const { start }: typeof import('./commands/start') = require('./commands/start');
      done(await start(file, options));
    });
}

function addMessages(program: Command, done: Done): void {
  following(
    command(
      program,
      'say <attempt> <text>',
      'a user message: an answer, a revision of the goal',
      'holdfast say @last "Use the second one." --watch',
    ),
  )
    .addOption(by())
    .action(async (attempt, text, options) => {
      const { say }: typeof import('./commands/say') = require('./commands/say');
      done(await say(attempt, text, options));
    });
  command(
    program,
    'cancel <attempt>',
    'asks an attempt to end',
    'holdfast cancel repair/1 --reason "no longer needed" --wait',
  )
    .option('--reason <text>', 'why, for the record')
    .option('--wait', 'wait for the end')
    .addOption(by())
    .action(async (attempt, options) => {
      const { cancel }: typeof import('./commands/cancel') = require('./commands/cancel');
      done(await cancel(attempt, options));
    });
}

function addReads(program: Command, done: Done): void {
  command(program, 'list', 'attempts: what runs, what waits for whom, what ended last', 'holdfast list --open')
    .option('--open', 'only those that have not ended')
    .option('--limit <number>', 'at most so many', wholeNumber, 50)
    .action(async (options) => {
      const { list }: typeof import('./commands/list') = require('./commands/list');
      done(await list(options));
    });
  command(program, 'show <attempt>', 'all about one attempt', 'holdfast show @last --json').action(
    async (attempt, options) => {
      const { show }: typeof import('./commands/show') = require('./commands/show');
      done(await show(attempt, options));
    },
  );
  command(
    program,
    'watch <attempt>',
    "an attempt's events, live, to its end; with --json one line an event",
    'holdfast watch repair/1 --from 40',
  )
    .option('--from <cursor>', 'the sequence of the last event already seen', wholeNumber, 0)
    .action(async (attempt, options) => {
      const { watch }: typeof import('./commands/watch') = require('./commands/watch');
      done(await watch(attempt, options));
    });
  command(
    program,
    'replay <attempt>',
    "replays an attempt's history on the code here and says whether it fits",
    'holdfast replay @last',
  ).action(async (attempt, options) => {
    const { replay }: typeof import('./commands/replay') = require('./commands/replay');
    done(await replay(attempt, options));
  });
}

/** A command with what every command has. */
function command(program: Command, usage: string, description: string, example: string): Command {
  const named = program
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
  return named;
}

const following = (named: Command) =>
  named
    .option('--watch', 'follow it to its end')
    .option('--wait', 'wait for its end or for a pause in which somebody must act; the exit code says which');

const by = () => new Option('--by <name>', 'who says it (default: the login name)');

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It is a whole number.');
  return value;
}
