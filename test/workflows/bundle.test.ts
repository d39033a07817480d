import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

test('the workflow bundles with nothing that its sandbox refuses, and small enough to start fast', async () => {
  const said: string[] = [];
  const logger = new DefaultLogger('WARN', ({ message }) => said.push(message));
  const { code } = await bundleWorkflowCode({ workflowsPath: require.resolve('../../src/workflows/index.ts'), logger });

  expect(said.filter((message) => /disallowed|node:/.test(message))).toEqual([]);
  expect(code).not.toMatch(/require\(["'](node:)?(fs|crypto|net|child_process|process|os|path)["']\)/);
  expect(code).toContain('WAITING_FOR_MODEL');
  expect(code.length).toBeLessThan(6_000_000);
}, 60_000);
