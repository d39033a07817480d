import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import { checkPolicy } from '../../src/policy/check-policy';
import { createPolicy } from '../../src/policy/create-policy';
import { factsOf, people, policyFiles, rules } from './support/policy-of';
import { shopTools } from './support/shop-tools';

const root = join(__dirname, '../..');
const shipped = join(root, 'policy/default.yaml');
const sources = { principals: people, tools: shopTools, singleUser: false };

test("R5.1 without a policy of one's own, reads and workspace writes are allowed, and everything else asks", () => {
  const { decide } = createPolicy(sources);
  expect(decide(factsOf({ tool: 'lookup_order' }))).toEqual({ rule: 'reads', kind: 'allow' });
  expect(decide(factsOf({ tool: 'read_file' }))).toEqual({ rule: 'reads', kind: 'allow' });
  for (const tool of ['write_file', 'apply_patch', 'run_command'])
    expect(decide(factsOf({ tool }))).toEqual({ rule: 'workspace-writes', kind: 'allow' });
  for (const tool of ['create_refund', 'send_mail']) expect(decide(factsOf({ tool })).kind).toBe('require_approval');
});

test('R5.1 the shipped policy is listed by its path beside others, and has nothing to warn of', () => {
  const own = policyFiles(rules('{ id: no-mail, when: tool == "send_mail", decision: deny }'));
  const policy = createPolicy({ ...sources, files: [shipped, ...own] });
  expect(policy.rules.map(({ id }) => id)).toEqual(['reads', 'workspace-writes', 'no-mail']);
  expect(policy.decide(factsOf({ tool: 'send_mail' })).rule).toBe('no-mail');
  expect(checkPolicy([shipped, ...own], shopTools, people)).toEqual([]);
  expect(createPolicy({ ...sources, files: [shipped] }).version).toBe(createPolicy(sources).version);
});

test('the shipped policy fits the published schema, and a wrong one does not', () => {
  const fits = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(join(root, 'schema/policy.schema.json'), 'utf8')),
  );
  const policy: unknown = parse(readFileSync(shipped, 'utf8'));
  expect(fits(policy)).toBe(true);
  expect(fits({ rules: [{ id: 'a', decision: 'maybe' }] })).toBe(false);
});
