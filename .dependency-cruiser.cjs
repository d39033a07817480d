/**
 * Who may import whom (docs/architecture.md): domain ← protocol ← workflows | activities ← adapters.
 * Only the composition roots join the parts: worker.ts for the worker process, client.ts and cli/ for the command line.
 * requests/ stands between: what may be asked of an attempt, by whichever door it is asked.
 */
const adapters = ['ledger', 'models', 'tools', 'policy', 'workspace', 'artifacts', 'databases', 'embedded', 'temporal'];
/** What adapters implement: ports.ts, and a file of its own for a large port. */
const ports = '^src/activities/(ports|ledger-port)\\.ts$';

/** Folders and files under src/, as a pattern over paths. */
const src = (...names) => `^src/(${names.join('|')})(/|\\.ts$)`;
const anySource = '^src/';
const npmPackages = (...names) => `(^|/)node_modules/(@types/)?(${names.join('|')})/`;

/** A layer and all that it may import; whatever is left out is forbidden. */
const layer = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle of imports has no first file to read.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'An import must lead somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    layer(
      'domain-is-pure',
      'The rules run in the workflow sandbox and in tests without anything beside them.',
      src('domain'),
      [src('domain'), npmPackages('zod', 'canonicalize', '@noble/hashes')],
    ),
    layer(
      'protocol-knows-the-domain-only',
      'Names and shapes that cross a process hold no behaviour.',
      src('protocol'),
      [src('protocol', 'domain'), npmPackages('zod')],
    ),
    layer(
      'located-yaml-is-a-leaf',
      'Whoever reads what a person wrote says in the same words where it is wrong.',
      src('located-yaml'),
      [src('located-yaml'), npmPackages('yaml', 'zod'), '^(node:)?fs$'],
    ),
    layer(
      'workflows-are-deterministic',
      'Workflow code reaches the outside through activities only.',
      src('workflows'),
      [src('workflows', 'protocol', 'domain'), npmPackages('@temporalio/workflow', '@temporalio/common', 'zod')],
    ),
    {
      name: 'activities-know-ports-only',
      comment: 'An activity gets its adapters from worker.ts.',
      severity: 'error',
      from: { path: src('activities') },
      to: { path: anySource, pathNot: src('activities', 'protocol', 'domain') },
    },
    ...adapters.map((adapter) => ({
      name: `${adapter}-stands-alone`,
      comment: 'Adapters never import each other; they know domain, protocol and ports.',
      severity: 'error',
      from: { path: src(adapter) },
      to: { path: anySource, pathNot: [src(adapter, 'protocol', 'domain', 'located-yaml'), ports] },
    })),
    {
      name: 'requests-know-no-door',
      comment:
        'What is asked of an attempt is the same at the command line and over HTTP; it is said and shown elsewhere.',
      severity: 'error',
      from: { path: src('requests') },
      to: {
        path: [anySource, npmPackages('commander', 'cli-table3', '@clack/prompts', 'fastify')],
        pathNot: src(
          'requests',
          'domain',
          'protocol',
          'activities',
          'ledger',
          'temporal',
          'policy',
          'tools',
          'models',
          'workspace',
          'artifacts',
          'located-yaml',
          'config',
        ),
      },
    },
    {
      name: 'requests-are-given-their-config',
      comment: 'The environment is read by an entry point, which hands the configuration down with the session.',
      severity: 'error',
      from: { path: [src('requests'), '^src/gateway/'] },
      to: { path: '^src/config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'requests-are-for-doors',
      comment: 'A part of the runtime that asks something of an attempt does so by its ports.',
      severity: 'error',
      from: { pathNot: [src('requests', 'client', 'cli', 'gateway', 'worker'), '^(test|bench)/'] },
      to: { path: src('requests') },
    },
    layer(
      'gateway-knows-requests',
      'What is asked by HTTP is what is asked by the command line; the gateway adds who asks, and how it is said.',
      '^src/gateway/',
      [
        src('gateway', 'requests', 'ledger', 'temporal', 'artifacts', 'protocol', 'domain', 'located-yaml', 'config'),
        ports,
        '(^|/)node_modules/',
        '^(node:)?[a-z_/]+$',
      ],
    ),
    {
      name: 'console-shares-types',
      comment: 'A browser runs nothing of the server; what both speak of is a type.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: anySource, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'temporal-client-in-one-place',
      comment: 'Whoever starts or signals workflows goes through the same few functions.',
      severity: 'error',
      from: { path: anySource, pathNot: [src('client', 'temporal', 'cli', 'requests', 'worker', 'embedded')] },
      to: { path: npmPackages('@temporalio/client') },
    },
    {
      name: 'nobody-imports-a-root',
      comment: 'Entry points are run, not imported.',
      severity: 'error',
      from: { pathNot: [src('client', 'cli', 'worker'), '^(test|bench)/'] },
      to: { path: [src('client', 'worker', 'cli'), '^src/gateway\\.ts$'] },
    },
    {
      name: 'config-is-handed-down',
      comment: 'Configuration is read once by an entry point; everything else is given what it needs.',
      severity: 'error',
      from: { path: anySource, pathNot: src('client', 'worker', 'cli', 'gateway', 'requests', 'config') },
      to: { path: src('config') },
    },
    {
      name: 'config-knows-shapes-only',
      comment: 'Configuration is shaped into what the adapters take; it runs none of their code.',
      severity: 'error',
      from: { path: src('config') },
      to: {
        path: anySource,
        pathNot: src('config', 'protocol', 'domain', 'located-yaml'),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sources-know-no-tests',
      severity: 'error',
      from: { path: anySource },
      to: { path: '^(test|bench)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.json$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.css', '.js', '.cjs', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['node', 'require', 'import', 'types', 'default'],
    },
  },
};
