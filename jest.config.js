const swc = {
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs', ignoreDynamic: true },
      },
    ],
    // ES modules, which Node loads with require() and jest does not.
    '/node_modules/@marcbachmann/cel-js/.+\\.js$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'ecmascript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!@marcbachmann/cel-js/)'],
  testEnvironment: '<rootDir>/test/support/file-environment.cjs',
  // Packages that are data: the demo's repository, and what runs of it left here.
  modulePathIgnorePatterns: ['<rootDir>/.holdfast/', '<rootDir>/dist', '<rootDir>/examples/'],
  // Source maps stay jest's own default.
};

const servers = {
  globalSetup: '<rootDir>/test/support/stack-setup.ts',
  globalTeardown: '<rootDir>/test/support/stack-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/server-timeout.ts'],
};

/** The test ladder, cheapest first: pure, then whatever needs a server, then whole processes, then a person's browser. */
module.exports = {
  maxWorkers: '100%', // jest's own default leaves a core idle
  testSequencer: '<rootDir>/test/support/waiting-first.cjs',
  // Modules of earlier files stay in a worker's memory; a new worker costs a second.
  workerIdleMemoryLimit: '1500MB',
  projects: [
    {
      ...swc,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/unit-timeout.ts'],
    },
    { ...swc, ...servers, displayName: 'server', testMatch: ['<rootDir>/test/**/*.server.ts'] },
    { ...swc, ...servers, displayName: 'process', testMatch: ['<rootDir>/test/**/*.process.ts'] },
    { ...swc, ...servers, displayName: 'browser', testMatch: ['<rootDir>/test/**/*.browser.ts'] },
  ],
};
