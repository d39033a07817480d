// Starts the MCP servers of the configuration in its folder, as a worker does, and is killed as a worker may be.
require('../../../support/register-swc.cjs');
const { loadConfig } = require('../../../../src/config.ts');
const { startMcp } = require('../../../../src/tools/mcp/start-mcp.ts');

const log = { debug: () => {}, info: () => {}, warn: () => {} };
startMcp(loadConfig({ cwd: process.argv[2], env: {} }).mcp, log).then(() => process.kill(process.pid, 'SIGKILL'));
