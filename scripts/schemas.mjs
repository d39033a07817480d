// `npm run schemas`: writes the published JSON Schemas from the code that checks the files. Build first.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { publishedSchemas } = createRequire(import.meta.url)(join(root, 'dist/cli/published-schemas.js'));
for (const [name, schema] of Object.entries(publishedSchemas())) {
  writeFileSync(join(root, 'schema', name), `${JSON.stringify(schema, null, 2)}\n`);
}
