import type { ToolPort } from '../activities/ports';
import type { Config } from '../config';
import type { Check, CheckResult } from '../embedded/checks';
import { InputError } from '../located-yaml/input-error';
import { checkPolicy } from '../policy/check-policy';
import { createPolicy } from '../policy/create-policy';
import { CliError } from './cli-error';
import { shortPath } from './policy-problems';
import { policySummary, relaxedWords } from './policy-summary';
import { withTools } from './with-tools';

/** What `doctor` says of tools and policy: both as a worker would have them, so MCP servers are started for it. */
export function policyChecks(config: Config): readonly Check[] {
  let tools: Promise<Loaded> | undefined;
  const loaded = () => {
    tools ??= load(config);
    return tools;
  };
  return [
    { name: 'tools', required: true, run: async () => (await loaded()).tools },
    { name: 'policy', required: true, run: async () => (await loaded()).policy },
    { name: 'approvals', required: false, run: async () => (await loaded()).approvals },
  ];
}

interface Loaded {
  readonly tools: CheckResult;
  readonly policy: CheckResult;
  readonly approvals: CheckResult;
}

async function load(config: Config): Promise<Loaded> {
  try {
    return await withTools(config, async (tools) => {
      const { mcp } = config;
      const servers = mcp.length === 0 ? '' : `, of them some of ${mcp.map(({ name }) => name).join(', ')}`;
      return { tools: { ok: true, found: `${tools.names().length}${servers}` }, ...policyOf(config, tools) };
    });
  } catch (error) {
    if (!(error instanceof CliError || error instanceof InputError)) throw error;
    const unknown = { ok: false, found: 'unknown without the tools', fix: 'Mend the tools first.' };
    const tools = { ok: false, found: error.message, fix: error.next ?? 'Correct the file that it names.' };
    return { tools, policy: unknown, approvals: unknown };
  }
}

function policyOf({ policy: { files, principals, singleUser } }: Config, tools: ToolPort): Omit<Loaded, 'tools'> {
  const problems = checkPolicy(files, tools, principals);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const named = files?.map(shortPath).join(', ') ?? 'the one that Holdfast ships';
  const fix = '`holdfast policy check` says where and why.';
  if (errors > 0) {
    const found = `${named}: ${errors} wrong`;
    return { policy: { ok: false, found, fix }, approvals: { ok: false, found: 'unknown without a policy', fix } };
  }
  const policy = createPolicy({ ...(files && { files }), principals, tools, singleUser });
  const doubts = problems.length === 0 ? '' : `; ${problems.length} doubtful, which \`holdfast policy check\` lists`;
  const relaxed = relaxedWords(policy);
  const who = principals.length === 0 ? 'whoever answers is taken at their word' : `${principals.length} principals`;
  return {
    policy: { ok: true, found: `${named}: ${policySummary(policy)}${doubts}` },
    approvals:
      relaxed === undefined
        ? { ok: true, found: `${who}${singleUser ? '; single-user mode' : ''}` }
        : {
            ok: false,
            found: `${who}; ${relaxed}`,
            fix: 'That is right for one person on one machine, and for nobody else.',
          },
  };
}
