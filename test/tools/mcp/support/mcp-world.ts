import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolDefinition, WriteContext, WriteTool } from '../../../../src/activities/ports';
import { loadConfig } from '../../../../src/config';
import { type StartedMcp, startMcp } from '../../../../src/tools/mcp/start-mcp';
import { createRegistry } from '../../../../src/tools/registry';
import { tempFolder } from '../../../support/temp-folder';
import { call, toolBench } from '../../support';

const support = __dirname;
const ended: (() => Promise<unknown> | unknown)[] = [];

/** Ends whatever the tests of a file started. */
export async function endAll(): Promise<void> {
  for (const end of ended.splice(0).reverse()) await end();
}

export interface McpWorld {
  /** What the servers heard and did, in order. */
  readonly heard: () => readonly Readonly<Record<string, unknown>>[];
  /** Whoever it was that a call reached, by name of the tool. */
  readonly calls: (tool: string) => readonly Readonly<Record<string, unknown>>[];
  /** Lines of the worker's log, as JSON. */
  readonly log: readonly string[];
  readonly folder: string;
  readonly started: StartedMcp;
  readonly tool: (name: string) => ToolDefinition;
  readonly write: (name: string) => WriteTool;
  readonly read: (name: string, args: unknown, signal?: AbortSignal) => ReturnType<typeof call>;
  readonly send: (name: string, args: unknown, key?: string, signal?: AbortSignal) => ReturnType<WriteTool['send']>;
}

/** The `mcp` block of a holdfast.yaml, read and started as a worker does. `folder`: where the servers' log is. */
export async function mcpWorld(
  mcp: object,
  options: { folder?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<McpWorld> {
  const folder = options.folder ?? tempFolder('holdfast-mcp-');
  writeFileSync(join(folder, 'holdfast.yaml'), JSON.stringify({ mcp }));
  const config = loadConfig({ cwd: folder, env: { ...options.env } });
  const log: string[] = [];
  const told = (level: string) => (fields: object, text: string) =>
    void log.push(JSON.stringify({ level, text, ...fields }));
  const started = await startMcp(config.mcp, { debug: told('debug'), info: told('info'), warn: told('warn') } as never);
  ended.push(() => started.close());
  const registry = createRegistry([], started.sources);
  const tool = (name: string): ToolDefinition => {
    const found = registry.get(name);
    if (!found) throw new Error(`no tool ${name}; there are ${registry.names().join(', ')}`);
    return found;
  };
  const bench = toolBench({});
  const write = (name: string): WriteTool => {
    const found = tool(name);
    if (!('send' in found)) throw new Error(`${name} is no write`);
    return found;
  };
  const heard = () =>
    existsSync(join(folder, 'log'))
      ? readFileSync(join(folder, 'log'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return {
    folder,
    log,
    started,
    tool,
    write,
    heard,
    calls: (name) => heard().filter((line) => line['call'] === name),
    read: (name, args, signal) => call(tool(name), args, { ...bench.context, ...(signal && { signal }) }),
    send: async (name, args, key = 'default/shop/k/g1', signal = new AbortController().signal) => {
      const found = write(name);
      const wrong = found.validate(args);
      if (wrong !== undefined) throw new Error(wrong);
      const context: WriteContext = { signal, tenant: 'default', artifacts: bench.context.artifacts };
      return found.send(key, args as never, context);
    },
  };
}

/** A server over stdio of the tests' own; `mode` is how it behaves. */
export const stdio = (folder: string, mode = 'well', more: object = {}) => ({
  command: process.execPath,
  args: [join(support, 'stdio-server.cjs'), folder, mode],
  ...more,
});

/** The same behind a program that starts it and waits, as `npx` is. */
export const wrapped = ({ command, args, ...more }: ReturnType<typeof stdio>) => ({
  ...more,
  command: 'sh',
  args: ['-c', '"$@"; true', 'sh', command, ...args],
});

/** Starts one of the servers over HTTP. */
export async function httpServer(
  file: string,
  args: readonly string[],
): Promise<{ url: string; port: number; end: () => Promise<unknown> }> {
  const server = spawn(process.execPath, [join(support, file), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const end = () => endProcess(server);
  ended.push(end);
  const [line] = await once(server.stdout, 'data');
  const port = Number(String(line).trim());
  return { url: `http://127.0.0.1:${port}/mcp`, port, end };
}

async function endProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

/** The tools of the tests' servers, as configuration would have them. */
export const shopTools = {
  look: { effect: 'none' },
  fail: { effect: 'none' },
  big: { effect: 'none', untrusted: true },
  refund: {
    effect: 'deduplicated',
    businessKey: '{orderId}',
    target: 'order:{orderId}',
    keyArgument: 'idempotencyKey',
    operationArguments: ['orderId', 'amount'],
    compensation: { tool: 'reverse', args: { refundId: '{result.id}', amount: '{amount}' } },
  },
  wire: { effect: 'probed', probe: { tool: 'find', args: { reference: '{key}', how: '{how}' } } },
};

/** For what is never answered: the same tools under names of their own, with little patience. */
export const hasty = { prefix: 'hasty_', timeoutMs: 300 };
