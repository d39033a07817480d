import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemsOf } from './support/policy-of';

test('the examples of docs/policy.md hold against real tools', () => {
  const page = readFileSync(join(__dirname, '../../docs/policy.md'), 'utf8');
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(problemsOf(example)).toEqual([]);
});
