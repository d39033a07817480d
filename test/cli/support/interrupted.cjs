// A command that takes its time to stop: says when it is ready, when it was asked, and when it has stopped.
require('../../support/register-swc.cjs');
const { onInterrupt } = require('../../../src/cli/interrupt.ts');

const [stopMs] = process.argv.slice(2);
const alive = setInterval(() => {}, 1_000);
onInterrupt().asked.then((signal) => {
  console.log(`asked by ${signal}`);
  setTimeout(() => {
    console.log('stopped');
    clearInterval(alive);
    process.exit(0);
  }, Number(stopMs));
});
console.log('ready');
