import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ToolDefinition } from '../../src/activities/ports';
import { configSchema } from '../../src/config/schema';
import { parseLocated } from '../../src/located-yaml/located-document';
import { checkPolicy } from '../../src/policy/check-policy';
import { loadToolModules } from '../../src/tools/modules/load-tool-modules';
import { createRegistry } from '../../src/tools/registry';
import { tempFolder } from '../support/temp-folder';

jest.setTimeout(60_000);

const blocksOf = (page: string, language: string) =>
  [
    ...readFileSync(resolve(__dirname, '../..', page), 'utf8').matchAll(
      new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'),
    ),
  ].map(([, text = '']) => text);

/** The tools that a page shows, each block a module as a user has it. */
async function toolsOf(page: string): Promise<readonly ToolDefinition[]> {
  const folder = tempFolder('holdfast-docs-');
  const files = blocksOf(page, 'ts').map((text, index) => {
    const file = join(folder, `tool-${index}.ts`);
    writeFileSync(file, text);
    return file;
  });
  return (await loadToolModules(files)).flatMap(({ tools }) => tools);
}

test('R4.1 the pages about tools show one of each class, and each loads as what it is said to be', async () => {
  const tools = [...(await toolsOf('docs/tools.md')), ...(await toolsOf('docs/effects.md'))];
  expect(tools.map(({ name, effect }) => [name, effect])).toEqual([
    ['create_refund', 'deduplicated'],
    ['get_refund', 'none'],
    ['export_orders', 'deduplicated'],
    ['set_note', 'idempotent'],
    ['wire_transfer', 'probed'],
    ['send_email', 'unsafe'],
  ]);
});

test('R5.5 the principals and rules of docs/approvals.md hold for the tools of docs/effects.md', async () => {
  const [config = '', rules = ''] = blocksOf('docs/approvals.md', 'yaml');
  const { principals = {} } = parseLocated('docs/approvals.md', config, configSchema).value;
  const people = Object.entries(principals).map(([name, { roles = [] }]) => ({ name, roles }));
  const file = join(tempFolder('holdfast-docs-'), 'policy.yaml');
  writeFileSync(file, rules);
  expect(checkPolicy([file], createRegistry(await toolsOf('docs/effects.md')), people)).toEqual([]);
});
