import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configSchema } from '../../src/config/schema';
import { parseLocated } from '../../src/located-yaml/located-document';
import { policySchema } from '../../src/policy/rules/policy-schema';
import { taskSchema } from '../../src/requests/task/task-schema';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Every key that a published schema names, at any depth. */
function keysIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'properties' ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]) : keysIn(value),
  );
}
const examplesIn = (page: string) => [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text ?? '');

test.each([
  ['docs/configuration.md', 'schema/holdfast.schema.json', configSchema],
  ['docs/tasks.md', 'schema/task.schema.json', taskSchema],
  ['docs/policy.md', 'schema/policy.schema.json', policySchema],
] as const)('%s has every key of %s, and its examples fit it', (page, schemaFile, schema) => {
  const text = read(page);
  // A key that another page explains is linked from there; the rest stand here in code.
  const explained = page === 'docs/configuration.md' ? `${text}${read('docs/tasks.md')}${read('docs/tools.md')}` : text;
  const missing = keysIn(JSON.parse(read(schemaFile))).filter(
    (key) => !new RegExp(`[\`{\\s]${key}[\`:]`).test(explained),
  );
  expect(missing).toEqual([]);

  const examples = examplesIn(text);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) parseLocated(page, example, schema);
});
