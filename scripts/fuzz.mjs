// `npm run fuzz -- --seconds 60`: random and hostile requests against a gateway, made of its own OpenAPI document.
import { parseArgs } from 'node:util';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const help = `Usage: npm run fuzz -- [--seconds N] [--seed N]

Sends random and hostile requests of two tenants to a gateway, by its OpenAPI document. It ends with 1 where one is answered 5xx, or with
a byte of the other tenant; the request and the seed are printed.

  npm run fuzz -- --seconds 60 --seed 7
`;
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
process.env.HOLDFAST_FUZZ_SECONDS = values.seconds;
process.env.HOLDFAST_FUZZ_SEED = values.seed ?? String(Date.now() % 1_000_000);
const jest = inRoot('node_modules/jest/bin/jest.js');
const { code } = await run(process.execPath, [jest, '--selectProjects=server', '--testPathPatterns=test/gateway/fuzz']);
process.exitCode = code;
