// A process that runs a stack as `up` does: prints a line when it is ready, and stops it in order on SIGTERM.
require('../../support/register-swc.cjs');
const { exitWithParent } = require('../../../src/embedded/exit-with-parent');
const { startStack } = require('../../../src/embedded/stack');

exitWithParent();
startStack({ dataDir: process.argv[2] }).then(
  (stack) => {
    process.once('SIGTERM', () => stack.stop().then(() => process.exit(0)));
    process.stdout.write('ready\n');
  },
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
