const { rmSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');

/** A worker whose jest was killed ends this soon, and not with its file, whose servers are gone. */
const orphanCheckMs = 500;
// A listener to `disconnect` would keep a worker that jest ends itself from ending.
if (process.send) setInterval(() => process.connected || process.exit(1), orphanCheckMs).unref();

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
