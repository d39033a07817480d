import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { policyChecks } from '../../src/cli/policy-checks';
import { loadConfig } from '../../src/config';
import { tempFolder } from '../support/temp-folder';
import { captured } from './support/captured';

/** A folder with a policy and a configuration that names it; returns how the configuration is named to a command. */
function folderWith(rules: string, more: object = {}): { config: string; policy: string } {
  const folder = tempFolder('holdfast-policy-');
  const [config, policy] = [join(folder, 'holdfast.yaml'), join(folder, 'policy.yaml')];
  writeFileSync(policy, rules);
  writeFileSync(config, stringify({ policies: ['policy.yaml'], principals: { ana: { roles: ['finance'] } }, ...more }));
  return { config, policy };
}
const sound =
  'rules:\n  - { id: ask, when: tool == "write_file", decision: require_approval, approvers: ["role:finance"] }\n';
const wrong = 'rules:\n  - { id: typo, when: tool == "write_file" && args.pth == "a", decision: deny }\n';

test('R5.1 a policy that holds is named with its version, and what a single person’s installation takes', async () => {
  const { config } = folderWith(sound);
  const ran = await captured('policy', 'check', '--config', config);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/policy\.yaml: 1 rule, version [0-9a-f]{16}\n/) });
  expect(ran.stdout).toContain('single-user mode: answers to ask are taken at their word');
  expect(JSON.parse((await captured('policy', 'check', '--config', config, '--json')).stdout)).toMatchObject({
    ok: true,
    rules: ['ask'],
    singleUser: true,
    problems: [],
  });
});

test('R5.1 one that is wrong is told with file, line and column, and ends with 2', async () => {
  const { config, policy } = folderWith(wrong);
  const ran = await captured('policy', 'check', '--config', config);
  expect(ran.code).toBe(2);
  expect(ran.stdout).toMatch(/policy\.yaml:2:\d+: error: .*pth/);
  expect(ran.stdout).toContain('1 error; no worker starts with it');
  expect(JSON.parse((await captured('policy', 'check', '--config', config, '--json')).stdout)).toMatchObject({
    ok: false,
    version: null,
    problems: [{ severity: 'error', at: { file: policy, line: 2 } }],
  });
});

test('R5.1 a file of the command line is checked in the place of those that are configured', async () => {
  const { config } = folderWith(sound);
  const { policy } = folderWith(wrong);
  expect((await captured('policy', 'check', policy, '--config', config)).code).toBe(2);
});

const doctorOf = async (config: string) => {
  const checks = policyChecks(loadConfig({ cwd: tempFolder('holdfast-doctor-'), env: {}, flags: { config } }));
  return Object.fromEntries(await Promise.all(checks.map(async ({ name, run }) => [name, await run()] as const)));
};

test('R5.1 doctor says whether tools and policy hold, and whether answers have to prove who gave them', async () => {
  expect(await doctorOf(folderWith(sound).config)).toMatchObject({
    tools: { ok: true },
    policy: { ok: true, found: expect.stringContaining('1 rule') },
    approvals: { ok: false, found: expect.stringContaining('single-user mode'), fix: expect.any(String) },
  });
  expect(await doctorOf(folderWith(wrong).config)).toMatchObject({
    policy: {
      ok: false,
      found: expect.stringContaining('1 wrong'),
      fix: expect.stringContaining('holdfast policy check'),
    },
  });
});

test('R12.2 doctor names an MCP server that does not start, and says nothing of the policy then', async () => {
  const { config } = folderWith(sound, { mcp: { gone: { command: 'no-such-program-here' } } });
  expect(await doctorOf(config)).toMatchObject({
    tools: {
      ok: false,
      found: expect.stringContaining('The MCP server "gone" did not start'),
      fix: expect.any(String),
    },
    policy: { ok: false },
  });
});
