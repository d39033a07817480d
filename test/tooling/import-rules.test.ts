import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { tempFolder } from '../support/temp-folder';

const root = resolve(__dirname, '../..');
const rules: { forbidden: { name: string }[] } = require(join(root, '.dependency-cruiser.cjs'));

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

/** One import that each rule must catch, and nothing else in the same file. */
const forbidden: Record<string, { from: string; import: string }[]> = {
  'no-cycles': [{ from: 'src/domain/a.ts', import: './b' }],
  'no-unresolved': [{ from: 'src/tools/lost.ts', import: './nowhere' }],
  'domain-is-pure': [
    { from: 'src/domain/protocol-user.ts', import: '../protocol/ids' },
    { from: 'src/domain/clock.ts', import: 'node:fs' },
    { from: 'src/domain/ledger-user.ts', import: '../ledger/pool' },
    { from: 'src/domain/driver-user.ts', import: 'pg' },
  ],
  'protocol-knows-the-domain-only': [{ from: 'src/protocol/up.ts', import: '../activities/ports' }],
  'located-yaml-is-a-leaf': [{ from: 'src/located-yaml/nosy.ts', import: '../ledger/pool' }],
  'workflows-are-deterministic': [
    { from: 'src/workflows/impatient.ts', import: '../activities/ports' },
    { from: 'src/workflows/hasher.ts', import: 'node:crypto' },
  ],
  'activities-know-ports-only': [{ from: 'src/activities/shortcut.ts', import: '../ledger/pool' }],
  'ledger-stands-alone': [{ from: 'src/ledger/nosy.ts', import: '../tools/registry' }],
  'models-stands-alone': [{ from: 'src/models/nosy.ts', import: '../ledger/pool' }],
  'tools-stands-alone': [{ from: 'src/tools/nosy.ts', import: '../ledger/pool' }],
  'policy-stands-alone': [{ from: 'src/policy/nosy.ts', import: '../ledger/pool' }],
  'workspace-stands-alone': [{ from: 'src/workspace/nosy.ts', import: '../ledger/pool' }],
  'databases-stands-alone': [{ from: 'src/databases/nosy.ts', import: '../ledger/pool' }],
  'artifacts-stands-alone': [{ from: 'src/artifacts/nosy.ts', import: '../ledger/pool' }],
  'embedded-stands-alone': [{ from: 'src/embedded/nosy.ts', import: '../ledger/pool' }],
  'temporal-stands-alone': [{ from: 'src/temporal/nosy.ts', import: '../ledger/pool' }],
  'config-knows-shapes-only': [{ from: 'src/config/runner.ts', import: '../ledger/pool' }],
  'requests-know-no-door': [
    { from: 'src/requests/printer.ts', import: '../cli/output' },
    { from: 'src/requests/server-starter.ts', import: '../embedded/stack' },
    { from: 'src/requests/option-reader.ts', import: 'commander' },
  ],
  'requests-are-given-their-config': [
    { from: 'src/requests/reader.ts', import: '../config' },
    { from: 'src/gateway/reader.ts', import: '../config' },
  ],
  'gateway-knows-requests': [
    { from: 'src/gateway/printer.ts', import: '../cli/output' },
    { from: 'src/gateway/runner.ts', import: '../worker' },
  ],
  'console-shares-types': [{ from: 'console/asker.ts', import: '../src/requests/session' }],
  'requests-are-for-doors': [{ from: 'src/activities/asker.ts', import: '../requests/session' }],
  'temporal-client-in-one-place': [{ from: 'src/activities/signaller.ts', import: '@temporalio/client' }],
  'nobody-imports-a-root': [{ from: 'src/activities/upside-down.ts', import: '../worker' }],
  'config-is-handed-down': [{ from: 'src/activities/reader.ts', import: '../config' }],
  'sources-know-no-tests': [{ from: 'src/tools/tested.ts', import: '../../test/support/fake' }],
};

/** Imports that the layers are made for; none of them may be reported. */
const allowed: { from: string; import: string }[] = [
  { from: 'src/domain/schema.ts', import: 'zod' },
  { from: 'src/domain/hash.ts', import: '@noble/hashes/sha2' },
  { from: 'src/protocol/calls.ts', import: '../domain/schema' },
  { from: 'src/workflows/attempt.ts', import: '@temporalio/workflow' },
  { from: 'src/activities/think.ts', import: './ports' },
  { from: 'src/ledger/moves.ts', import: '../activities/ports' },
  { from: 'src/ledger/rows.ts', import: '../activities/ledger-port' },
  { from: 'src/ledger/files.ts', import: 'node:fs' },
  { from: 'src/models/reader.ts', import: '../located-yaml/document' },
  { from: 'src/cli/start.ts', import: '../config' },
  { from: 'src/cli/asker.ts', import: '../requests/session' },
  { from: 'src/gateway/asker.ts', import: '../requests/session' },
  { from: 'src/requests/finder.ts', import: '../ledger/pool' },
];

let folder: string;
let violations: Violation[];

beforeAll(() => {
  folder = tempFolder('holdfast-imports-');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const leaf of [
    'src/protocol/ids',
    'src/ledger/pool',
    'src/tools/registry',
    'src/located-yaml/document',
    'src/activities/ports',
    'src/activities/ledger-port',
    'src/worker',
    'src/cli/output',
    'src/embedded/stack',
    'src/requests/session',
    'src/config',
    'test/support/fake',
  ]) {
    write(`${leaf}.ts`, 'export const leaf = 1;\n');
  }
  write('src/domain/b.ts', "import './a';\nexport const b = 1;\n");
  for (const { from, import: target } of [...Object.values(forbidden).flat(), ...allowed]) {
    write(from, `import '${target}';\nexport const here = 1;\n`);
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'node16', moduleResolution: 'node16' } }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

  const cli = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [cli, 'src', 'console', '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json'];
  const run = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 32 * 1024 * 1024 });
  if (!run.stdout) throw new Error(run.stderr);
  violations = JSON.parse(run.stdout).summary.violations;
});

test('every import rule has an import here that it must catch', () => {
  expect(Object.keys(forbidden).sort()).toEqual(rules.forbidden.map((rule) => rule.name).sort());
});

const cases = Object.entries(forbidden).flatMap(([rule, imports]) => imports.map((one) => ({ rule, ...one })));
test.each(cases)('$rule catches $from importing $import', ({ rule, from }) => {
  expect(violations.filter((found) => found.from === from).map((found) => found.rule.name)).toContain(rule);
});

test.each(allowed)('$from may import $import', ({ from }) => {
  expect(violations.filter((found) => found.from === from)).toEqual([]);
});
