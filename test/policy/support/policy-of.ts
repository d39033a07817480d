import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyFacts, Principal } from '../../../src/domain/policy/policy';
import { checkPolicy } from '../../../src/policy/check-policy';
import { createPolicy, type Policy } from '../../../src/policy/create-policy';
import { tempFolder } from '../../support/temp-folder';
import { shopTools } from './shop-tools';

export const people: readonly Principal[] = [
  { name: 'ana', roles: ['finance'] },
  { name: 'ben', roles: ['finance', 'operator'] },
];

/** Files of a policy, in order; each text is one. */
export function policyFiles(...texts: readonly string[]): readonly string[] {
  const folder = tempFolder('holdfast-policy-');
  return texts.map((text, index) => {
    const file = join(folder, `${'abc'.charAt(index)}.yaml`);
    writeFileSync(file, text);
    return file;
  });
}

/** A policy file with rules as YAML writes one each. */
export const rules = (...items: readonly string[]) =>
  items.length === 0 ? 'rules: []' : `rules:\n${items.map((item) => `  - ${item}\n`).join('')}`;

export function policyOf(...texts: readonly string[]): Policy {
  return createPolicy({ files: policyFiles(...texts), principals: people, tools: shopTools, singleUser: false });
}

/** Problems as a person reads them, without the folder: `error b.yaml:3:5 …`. */
export function problemsOf(...texts: readonly string[]): readonly string[] {
  return checkPolicy(policyFiles(...texts), shopTools, people).map(
    ({ severity, message, at }) => `${severity} ${at?.file.split('/').at(-1)}:${at?.line}:${at?.column} ${message}`,
  );
}

export function factsOf(facts: Partial<PolicyFacts>): PolicyFacts {
  const tool = shopTools.get(facts.tool ?? 'create_refund');
  return {
    tenant: 'default',
    principal: 'cat',
    tool: 'create_refund',
    effect: tool === undefined || tool.effect === 'control' ? 'none' : tool.effect,
    workspace: tool !== undefined && tool.effect !== 'control' && tool.workspace,
    target: 'order:1042',
    args: {},
    contract: { kind: 'business_action', task: 'refund-1042', version: 1 },
    spend: { costUsd: 0.5, toolCalls: 3, turns: 1 },
    tainted: false,
    ...facts,
  };
}
export const refund = (amount: unknown) => factsOf({ args: { orderId: '1042', amount } });
