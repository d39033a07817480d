// A worker of its own that is frozen from outside in the middle of its work, and goes on with it when it wakes.
require('../../support/register-swc.cjs');
const { existsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { createWorkspaces } = require('../../../src/workspace/create-workspaces');

const [dataDir, sandbox, id, base, folder, line] = process.argv.slice(2);
const workspaces = createWorkspaces({ dataDir, sandbox, env: process.env });
const parsed = JSON.parse(id);
const signal = new AbortController().signal;
const told = (name, value = '') => writeFileSync(join(folder, name), JSON.stringify(value));
const exec = (root) => workspaces.exec(parsed, line.replaceAll('{root}', root), { timeoutMs: 60_000, signal });

workspaces
  .exclusive(parsed, base, signal, async (root) => {
    writeFileSync(join(root, 'a.txt'), 'half done');
    told('holds', root);
    const before = existsSync(join(folder, 'go')) ? undefined : await exec(root).then(({ end }) => end);
    while (!existsSync(join(folder, 'go'))) await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync(join(root, 'late.txt'), 'of a zombie');
    const after = await exec(root).then(
      ({ end }) => end,
      (error) => error.failure?.code,
    );
    told('worked', { before, after });
  })
  .then(
    () => told('result', 'done'),
    (error) => told('result', error.failure?.code ?? String(error)),
  );
