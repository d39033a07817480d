const { rmSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');

// A worker whose jest was killed would go on with its file, on servers that are gone.
if (process.send) process.once('disconnect', () => process.exit(1));

/** Node, and folders that go with the test file: after its last hook, so that whatever runs in one is stopped first. */
module.exports = class FileEnvironment extends TestEnvironment {
  folders = [];

  async setup() {
    await super.setup();
    this.global.foldersOfTestFile = this.folders;
  }

  async teardown() {
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    await super.teardown();
  }
};
