// `npm run schemas`: writes the published JSON Schemas: of files from the code that checks them, of events and answers from the types that they are written by.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { apiSchema } from './lib/api-schema.mjs';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { eventSchema } from './lib/event-schema.mjs';
import { inRoot } from './lib/paths.mjs';

await ensureBuilt();
const { publishedSchemas } = createRequire(import.meta.url)(inRoot('dist/cli/published-schemas.js'));
const schemas = { ...publishedSchemas(), 'event.schema.json': eventSchema(), 'api.schema.json': apiSchema() };
for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(inRoot('schema', name), `${JSON.stringify(schema, null, 2)}\n`);
}
