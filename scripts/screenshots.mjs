// `npm run screenshots`: pictures of the console's screens, light and dark, into docs/images/.

import { ensureBuilt } from './lib/ensure-built.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

await ensureBuilt();
process.env.HOLDFAST_SCREENSHOTS = inRoot('docs/images');
const { code } = await run(process.execPath, [
  inRoot('node_modules/jest/bin/jest.js'),
  '--selectProjects=browser',
  '--testPathPatterns=test/console/screenshots',
]);
process.exitCode = code;
