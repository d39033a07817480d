import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import { publishedSchemas } from '../../src/cli/published-schemas';

const root = join(__dirname, '../..');

test.each(Object.entries(publishedSchemas()))(
  'schema/%s is what the code checks; `npm run schemas` writes it',
  (name, schema) => {
    expect(JSON.parse(readFileSync(join(root, 'schema', name), 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  },
);

test('the example fits the published schema, and a wrong one does not', () => {
  const ajv = new Ajv2020({ strict: false });
  const fits = ajv.compile(JSON.parse(readFileSync(join(root, 'schema/task.schema.json'), 'utf8')));
  const example: unknown = parse(readFileSync(join(root, 'examples/repair/task.yaml'), 'utf8'));
  expect(fits(example)).toBe(true);
  expect(fits({ ...Object(example), kind: 'dance' })).toBe(false);
});
