import { type Command, Option } from 'commander';
import { workerQueues } from '../../worker/queues';
import { type Done, namedCommand } from './named-command';

/** What runs the installation, and looks after it. */
export function addServers(program: Command, done: Done): void {
  namedCommand(
    program,
    'up',
    'Temporal, PostgreSQL, worker, gateway and console on this machine, until Ctrl-C',
    'holdfast up',
  ).action(async (options) => {
    const { up }: typeof import('../commands/up') = require('../commands/up');
    done(await up(options));
  });
  namedCommand(
    program,
    'worker',
    'one worker, with the servers that DATABASE_URL and TEMPORAL_ADDRESS name, until Ctrl-C',
    'holdfast worker --queue main',
  )
    .addOption(new Option('--queue <queue>', 'what it takes on (default: everything)').choices(workerQueues))
    .action(async (options) => {
      const { worker }: typeof import('../commands/worker') = require('../commands/worker');
      done(await worker(options));
    });
  namedCommand(
    program,
    'gateway',
    'the API and the console, with the servers that DATABASE_URL and TEMPORAL_ADDRESS name, until Ctrl-C',
    'holdfast gateway',
  ).action(async (options) => {
    const { gateway }: typeof import('../commands/gateway') = require('../commands/gateway');
    done(await gateway(options));
  });
  namedCommand(
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
      const { demo }: typeof import('../commands/demo') = require('../commands/demo');
      done(await demo(options));
    });
  namedCommand(
    program,
    'doctor',
    'checks what Holdfast needs, and says what to do about each that fails',
    'holdfast doctor',
  ).action(async (options) => {
    const { doctor }: typeof import('../commands/doctor') = require('../commands/doctor');
    done(await doctor(options));
  });
  namedCommand(
    program,
    'verify-ledger',
    "checks the ledger's own rules over all rows of all tenants; ends with 1 where one is broken",
    'holdfast verify-ledger',
  ).action(async (options) => {
    const { verify }: typeof import('../commands/verify-ledger') = require('../commands/verify-ledger');
    done(await verify(options));
  });
}
