// A worker of its own that prepares a workspace.
require('../../support/register-swc.cjs');
const { createWorkspaces } = require('../../../src/workspace/create-workspaces');

const [dataDir, sandbox, id, spec] = process.argv.slice(2);
createWorkspaces({ dataDir, sandbox, env: process.env }).prepare(
  JSON.parse(id),
  JSON.parse(spec),
  new AbortController().signal,
);
