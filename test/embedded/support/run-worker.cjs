// A parent that keeps a worker running and prints the worker's pid.
require('../../support/register-swc.cjs');
const { startWorker } = require('../../../src/embedded/worker-process');
const { join } = require('node:path');

const entry = join(__dirname, 'worker.cjs');
startWorker({ entry, args: [], logFile: process.argv[2], graceMs: 2_000, tell: () => {} }).then((worker) => {
  process.stdout.write(`${worker.current().identity.pid}\n`);
});
