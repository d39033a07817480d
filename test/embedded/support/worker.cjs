// A worker process without work. Its first argument says how it behaves.
require('../../support/register-swc.cjs');
const { exitWithParent } = require('../../../src/embedded/exit-with-parent');
const { reportReady } = require('../../../src/embedded/report-ready');

exitWithParent();
switch (process.argv[2]) {
  case 'broken':
    process.stderr.write('no configuration\n');
    process.exit(3);
    break;
  case 'stubborn':
    process.on('SIGTERM', () => {});
    break;
  case 'blockable':
    process.on('SIGUSR2', () => {
      for (;;);
    });
}
setInterval(() => {}, 1_000);
reportReady();
