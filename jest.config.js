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
  // Source maps and workers stay jest's own defaults; one worker a core.
};

const servers = {
  globalSetup: '<rootDir>/test/support/stack-setup.ts',
  globalTeardown: '<rootDir>/test/support/stack-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/server-timeout.ts'],
};

/** The test ladder, cheapest first: pure, then whatever needs a server, then whole processes, then a person's browser. */
module.exports = {
  projects: [
    { ...swc, displayName: 'unit', testMatch: ['<rootDir>/test/**/*.test.ts'] },
    { ...swc, ...servers, displayName: 'server', testMatch: ['<rootDir>/test/**/*.server.ts'] },
    { ...swc, ...servers, displayName: 'process', testMatch: ['<rootDir>/test/**/*.process.ts'] },
    { ...swc, ...servers, displayName: 'browser', testMatch: ['<rootDir>/test/**/*.browser.ts'] },
  ],
};
