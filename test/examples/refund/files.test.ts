import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteTool } from '../../../src/activities/ports';
import { loadConfig } from '../../../src/config';
import type { Decision, PolicyFacts } from '../../../src/domain/policy/policy';
import { parseTranscript } from '../../../src/models/scripted/parse-transcript';
import { createPolicy, type Policy } from '../../../src/policy/create-policy';
import { readTaskFile } from '../../../src/requests/task/task-file';
import { toolNames } from '../../../src/requests/task/tool-names';
import { type LoadedTools, loadTools } from '../../../src/tools/load-tools';

const folder = join(__dirname, '../../../examples/refund');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const config = loadConfig({ cwd: folder, env: {}, flags: { config: join(folder, 'holdfast.yaml') } });
const transcript = parseTranscript('transcript.yaml', read('transcript.yaml'));
const log = { debug() {}, info() {}, warn() {} };

let loaded: LoadedTools;
let policy: Policy;
beforeAll(async () => {
  loaded = await loadTools(config, log);
  policy = createPolicy({ ...config.policy, tools: loaded.tools });
});
afterAll(() => loaded.close());

/** The decision about a call of a tool as it is configured. */
function decide(tool: string, args: Record<string, unknown>, tainted = false): Decision {
  const definition = loaded.tools.get(tool);
  if (definition === undefined || definition.effect === 'control') throw new Error(`There is no tool ${tool} to run.`);
  const facts: PolicyFacts = {
    tenant: 'default',
    principal: 'ana',
    tool,
    effect: definition.effect,
    target: 't',
    args,
    workspace: definition.effect === 'none' ? false : definition.workspace,
    contract: { kind: 'business_action', task: 'refund-1042', version: 1 },
    spend: { costUsd: 0, toolCalls: 0, turns: 1 },
    tainted,
  };
  return policy.decide(facts);
}

test('R5.1 the policy has nothing wrong or doubtful, against the tools that the shop really has', () => {
  expect(policy.warnings).toEqual([]);
});

test.each([
  ['lookup_order', { orderId: '1' }, 'allow'],
  ['create_refund', { orderId: '1', amount: 50 }, 'allow'],
  ['create_refund', { orderId: '1', amount: 50.01 }, 'require_approval'],
  ['reverse_refund', { refundId: 'r' }, 'require_approval'],
  ['wire_transfer', { iban: 'i', amount: 1 }, 'require_approval'],
  ['send_email', { to: 't', subject: 's', text: 't' }, 'require_approval'],
  ['set_note', { orderId: '1', note: 'n' }, 'allow'],
] as const)('R5.1 %s %j is %s, and denied to whoever has read a stranger, unless it only reads', (tool, args, kind) => {
  expect(decide(tool, args).kind).toBe(kind);
  expect(decide(tool, args, true).kind).toBe(tool === 'lookup_order' ? 'allow' : 'deny');
});

test('R5.5 a large transfer asks two of finance', () => {
  expect(decide('wire_transfer', { iban: 'i', amount: 1 })).toMatchObject({
    terms: { approvers: ['role:finance'], approvals: 2 },
  });
});

test('R4.6 each tool has the effect that the shop can hold, and the model sees no key', () => {
  const effects = ['create_refund', 'reverse_refund', 'wire_transfer', 'set_note', 'send_email'].map(
    (name) => loaded.tools.get(name)?.effect,
  );
  expect(effects).toEqual(['deduplicated', 'deduplicated', 'probed', 'idempotent', 'unsafe']);
  expect(Object.keys(Object(loaded.tools.get('create_refund')?.schema['properties']))).toEqual(['orderId', 'amount']);
  expect(Object.keys(Object(loaded.tools.get('wire_transfer')?.schema['properties']))).toEqual(['iban', 'amount']);
});

test('E1 a refund is one operation of its order, on its order, and knows what undoes it', () => {
  const refund = loaded.tools.get('create_refund') as WriteTool;
  const args = { orderId: '1042', amount: 120 } as never;
  expect(refund.businessKey?.(args)).toBe('1042');
  expect(refund.target?.(args)).toBe('order:1042');
  const output = '{"id":"refund-4","orderId":"1042"}';
  expect(refund.compensation?.args(args, { output, downstreamId: 'refund-4' })).toEqual({ refundId: 'refund-4' });
});

const tasks = readdirSync(folder).filter((name) => name.startsWith('task'));
test.each(tasks)('%s fits, and the scripted model calls only what it is offered', async (file) => {
  const { contract, task } = readTaskFile(join(folder, file), { ...(await toolNames(config)), models: ['default'] });
  const order = task.split('-')[1] ?? '';
  const calls = (transcript.entries ?? [])
    .filter(({ when }) => when?.lastUser?.includes(order))
    .flatMap(({ calls = [] }) => calls.map(({ tool }) => tool));
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.filter((tool) => ![...contract.tools, 'finish'].includes(tool))).toEqual([]);
});

test('the README names every file and every fault', () => {
  const text = read('README.md');
  const kinds = [...read('shop/faults.mjs').matchAll(/^ {2}'([a-z0-9_]+)', \/\//gm)].map(([, kind]) => kind ?? '');
  const files = readdirSync(folder).filter((name) => !name.startsWith('.') && name !== 'README.md');
  expect(kinds).toHaveLength(6);
  expect([...kinds, ...files].filter((name) => !text.includes(`\`${name}`))).toEqual([]);
});
