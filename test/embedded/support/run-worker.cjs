// A parent that keeps a worker running and prints the worker's pid.
require('../../support/register-swc.cjs');
const { exitWithParent } = require('../../../src/embedded/exit-with-parent');
const { startChild } = require('../../../src/embedded/kept-child');
const { join } = require('node:path');

const entry = join(__dirname, 'worker.cjs');
exitWithParent();
startChild({ name: 'worker', entry, args: [], logFile: process.argv[2], graceMs: 2_000, tell: () => {} }).then(
  (worker) => {
    process.stdout.write(`${worker.current().identity.pid}\n`);
  },
);
