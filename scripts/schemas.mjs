// `npm run schemas`: writes the published JSON Schemas from the code that checks the files.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { inRoot } from './lib/paths.mjs';

await ensureBuilt();
const { publishedSchemas } = createRequire(import.meta.url)(inRoot('dist/cli/published-schemas.js'));
for (const [name, schema] of Object.entries(publishedSchemas())) {
  writeFileSync(inRoot('schema', name), `${JSON.stringify(schema, null, 2)}\n`);
}
