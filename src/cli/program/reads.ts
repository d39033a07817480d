import { type Command, Option } from 'commander';
import { audiences } from '../../protocol/audiences';
import { type Done, namedCommand, wholeNumber } from './named-command';

/** What is read and changes nothing. */
export function addReads(program: Command, done: Done): void {
  namedCommand(program, 'list', 'attempts: what runs, what waits for whom, what ended last', 'holdfast list --open')
    .option('--open', 'only those that have not ended')
    .option('--limit <number>', 'at most so many', wholeNumber, 50)
    .action(async (options) => {
      const { list }: typeof import('../commands/list') = require('../commands/list');
      done(await list(options));
    });
  namedCommand(program, 'show <attempt>', 'all about one attempt', 'holdfast show @last --json').action(
    async (attempt, options) => {
      const { show }: typeof import('../commands/show') = require('../commands/show');
      done(await show(attempt, options));
    },
  );
  namedCommand(
    program,
    'watch <attempt>',
    "an attempt's events, live, to its end; with --json one line an event",
    'holdfast watch repair/1 --from 40',
  )
    .option('--from <cursor>', 'the sequence of the last event already seen', wholeNumber, 0)
    .option('--previews', "with --json: also pieces of the model's words while it says them, which are kept nowhere")
    .action(async (attempt, options) => {
      const { watch }: typeof import('../commands/watch') = require('../commands/watch');
      done(await watch(attempt, options));
    });
  namedCommand(
    program,
    'events <attempt>',
    'its events up to now, as an audience sees them; with --json one line an event',
    'holdfast events @last --audience user',
  )
    .addOption(new Option('--audience <name>', 'whose view').choices(audiences).default('operator'))
    .option('--from <cursor>', 'the sequence of the last event already seen', wholeNumber, 0)
    .action(async (attempt, options) => {
      const { events }: typeof import('../commands/events') = require('../commands/events');
      done(await events(attempt, options));
    });
  namedCommand(
    program,
    'replay <attempt>',
    "replays an attempt's history on the code here and says whether it fits",
    'holdfast replay @last',
  ).action(async (attempt, options) => {
    const { replay }: typeof import('../commands/replay') = require('../commands/replay');
    done(await replay(attempt, options));
  });
}
