// Adds one to a number in a file, again and again, each time under the lock; another process does the same.
require('../../support/register-swc.cjs');
const { readFileSync, writeFileSync } = require('node:fs');
const { takeLock } = require('../../../src/workspace/file-lock');

const [folder, file, times] = process.argv.slice(2);
const never = new AbortController().signal;
(async () => {
  for (let done = 0; done < Number(times); done += 1) {
    const lock = await takeLock({ folder, waitMs: 30_000, signal: never, pass: () => null });
    const seen = Number(readFileSync(file, 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, 1));
    writeFileSync(file, String(seen + 1));
    lock.release(null);
  }
})();
