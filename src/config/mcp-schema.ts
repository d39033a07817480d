import { z } from 'zod';
import { pollingLimitMax } from '../domain/progress/polling-limit';
import { parseTemplate, placeholdersIn, runsTogether, strayBrace } from '../domain/template/template';
import { closedObject } from '../located-yaml/closed-object';
import { secret } from './secret';

/** A call that takes longer is a job, which a tool starts and another one asks about, ms. */
const longestToolTimeoutMs = 24 * 60 * 60 * 1000;

const settings = z.record(z.string().min(1), z.union([z.string(), secret]));

/** `order:{orderId}`: names arguments of the call, and nothing of it is ambiguous. */
const template = z.string().check((context) => {
  const parsed = parseTemplate(context.value);
  const wrong = (message: string) => context.issues.push({ code: 'custom', message, input: context.value });
  if (placeholdersIn(parsed).length === 0) wrong('it names no argument; write one as {name}');
  if (strayBrace(parsed)) wrong('a brace stands around something that is no name; write an argument as {name}');
  if (runsTogether(parsed)) wrong('two arguments run together; put a sign such as ":" between them');
});

const callOf = (what: string) =>
  closedObject({
    tool: z.string().min(1).describe('A tool of the same server, by its own name.'),
    args: z.record(z.string(), z.unknown()).describe(what),
  });

const common = {
  untrusted: z.boolean().optional().describe('What it answers is content that nobody here vouches for.'),
  timeoutMs: z.int().positive().max(longestToolTimeoutMs).optional().describe('Longest for one call, ms.'),
  protected: z
    .literal(true)
    .optional()
    .describe('Reads protected data: each try of it is an event for auditors. Only of a tool with effect none.'),
  quick: z.boolean().optional().describe('Answers within about 50 ms; never for an unsafe write.'),
  polling: z
    .int()
    .positive()
    .max(pollingLimitMax)
    .optional()
    .describe('Asked again until the answer changes: so many calls in a row with the same answer are no loop.'),
};

const writeKeys = {
  businessKey: template
    .optional()
    .describe('Names the business operation, such as "{orderId}"; the same one is done once.'),
  scope: z.enum(['tenant', 'task']).optional().describe("Whose the business key is; the tenant's where left out."),
  keyArgument: z.string().min(1).optional().describe('Argument that the runtime puts the idempotency key in.'),
  operationArguments: z
    .array(z.string().min(1))
    .optional()
    .describe('Those that make the operation what it is; all where left out.'),
  credentialDomain: z.string().min(1).optional().describe('Whose credentials it uses; can be revoked as a whole.'),
  rejectionIsFinalForKey: z
    .literal(true)
    .optional()
    .describe('One refusal under a key holds for all that was sent under it.'),
  compensation: callOf('Placeholders name arguments of the call, or parts of its result: {result.id}.')
    .optional()
    .describe('What undoes a committed effect.'),
  probe: callOf('Placeholders name arguments of the call, or its idempotency key: {key}.')
    .optional()
    .describe('How to find out what became of a probed write.'),
};

const named = {
  target: template
    .optional()
    .describe('What is acted on, such as "order:{orderId}"; of a read, what it looks at: that alone is known then.'),
  source: template
    .optional()
    .describe('Of a read whose answer is the content of something, such as "{url}": by this name it can be cited.'),
  incidental: z
    .array(z.string().min(1))
    .optional()
    .describe('Arguments that change nothing of what is asked, such as a time limit: a repeat with others is one.'),
};

const tool = closedObject({
  effect: z.enum(['none', 'idempotent', 'deduplicated', 'probed', 'unsafe']),
  ...common,
  ...named,
  ...writeKeys,
}).check((context) => {
  const { effect, quick, probe } = context.value;
  const wrong = (key: string, message: string) =>
    context.issues.push({ code: 'custom', path: [key], message, input: context.value });
  if (effect === 'probed' && probe === undefined) wrong('effect', 'a probed write needs probe: { tool, args }');
  if (effect !== 'probed' && probe !== undefined) wrong('probe', 'only a probed write has a probe');
  if (effect === 'unsafe' && quick === true) wrong('quick', 'an unsafe write is never quick');
  for (const key of ['protected', 'source'] as const)
    if (effect !== 'none' && context.value[key]) wrong(key, 'only a read has it; this tool is a write');
  if (effect !== 'none') return;
  for (const key of Object.keys(writeKeys)) {
    if (key !== 'probe' && Object.hasOwn(context.value, key))
      wrong(key, 'only a write has it; this tool has effect none');
  }
});
export type McpToolText = z.output<typeof tool>;

const server = closedObject({
  command: z.string().min(1).optional().describe('Program that speaks MCP over its standard input and output.'),
  args: z.array(z.string()).optional(),
  env: settings.optional().describe('Added to PATH, HOME and the like; nothing else of the environment is handed on.'),
  cwd: z.string().min(1).optional().describe('From the folder of this file, which it is where left out.'),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Of a server that speaks streamable HTTP.'),
  headers: settings.optional().describe('Sent with each request.'),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'a prefix is at most 32 of A-Z, a-z, 0-9, "_" and "-"')
    .optional()
    .describe('Put before the names of its tools.'),
  untrusted: common.untrusted,
  timeoutMs: common.timeoutMs,
  tools: z.record(z.string().min(1), tool).optional().describe("By the server's own names."),
  default: closedObject({ effect: z.enum(['none', 'idempotent', 'deduplicated', 'unsafe']), ...common })
    .optional()
    .describe('For tools that are not named; { effect: unsafe } where left out.'),
}).check((context) => {
  const { command, url, args, env, cwd, headers } = context.value;
  const wrong = (path: string[], message: string) =>
    context.issues.push({ code: 'custom', path, message, input: context.value });
  if ((command === undefined) === (url === undefined)) wrong([], 'a server has either command or url');
  if (url !== undefined && (args ?? env ?? cwd) !== undefined) wrong(['url'], 'args, env and cwd go with command');
  if (command !== undefined && headers !== undefined) wrong(['headers'], 'headers go with url');
  if (context.value.default?.effect === 'unsafe' && context.value.default.quick === true)
    wrong(['default', 'quick'], 'an unsafe write is never quick');
  if (context.value.default?.protected && context.value.default.effect !== 'none')
    wrong(['default', 'protected'], 'only a read has it; this default is a write');
});
export type McpServerText = z.output<typeof server>;

export const mcpSchema = z.record(
  z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'a name is a-z, 0-9, ".", "_" or "-"'),
  server,
);
