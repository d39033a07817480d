// A worker of its own: takes the worktree, spoils it, runs a command that does not end, and says when.
require('../../support/register-swc.cjs');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { createWorkspaces } = require('../../../src/workspace/create-workspaces');

const [dataDir, sandbox, id, base, line, where] = process.argv.slice(2);
const workspaces = createWorkspaces({ dataDir, sandbox, env: process.env });
const limits = { timeoutMs: 60_000, signal: new AbortController().signal };
const parsed = JSON.parse(id);
if (where === 'clean') void workspaces.execClean(parsed, base, line, limits);
else
  void workspaces.exclusive(parsed, base, limits.signal, (root) => {
    writeFileSync(join(root, 'a.txt'), 'half done');
    return workspaces.exec(parsed, line, limits);
  });
