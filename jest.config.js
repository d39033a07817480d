const swc = {
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs', ignoreDynamic: true },
      },
    ],
  },
  testEnvironment: 'node',
  // Source maps and workers stay jest's own defaults; one worker a core.
};

/** The test ladder, cheapest first: pure, then whatever needs a server, then whole processes. */
module.exports = {
  projects: [
    { ...swc, displayName: 'unit', testMatch: ['<rootDir>/test/**/*.test.ts'] },
    { ...swc, displayName: 'server', testMatch: ['<rootDir>/test/**/*.server.ts'] },
    { ...swc, displayName: 'process', testMatch: ['<rootDir>/test/**/*.process.ts'] },
  ],
};
