import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { type CallOptions, type Connection, connect } from './connect';
import type { ListedTool } from './listed-tool';
import type { McpServerConfig } from './mcp-config';
import { McpFailure } from './mcp-failure';
import type { McpLog } from './mcp-log';

/** One that lived this long was well: its end starts the count of restarts anew, ms. */
const stableAfterMs = 10_000;
/** The wait before the second restart in a row (the first is at once), doubled for each further one, ms. */
const firstWaitMs = 500;
/** Soon enough for a server that is being repaired, seldom enough not to fill a log, ms. */
const maxWaitMs = 30_000;
/** Longest that a read waits for a server that is being started again, ms; then it is tried again like any failed read. */
const readWaitMs = 5_000;
/** How often a server that says nothing of its own is asked for its tools, ms: a deploy behind an address is noticed so. */
const relistMs = 60_000;

/**
 * An MCP server that is kept running.
 *
 *   I1  Its tools are those that it had when this process saw it first. One that differs now is refused until the process
 *       is started again (R12.2): a person approved, and a policy judged, what it was.
 *   I2  A new life serves calls only after its tools were compared.
 *   I3  No call is repeated here, and a write is never kept waiting: who sends again is decided by the effect protocol.
 */
export class McpServer {
  private readonly stopping = new AbortController();
  private readonly events = new EventEmitter();
  private readonly changed = new Map<string, 'gone' | 'other'>();
  private current: Connection | undefined;
  private keeping: Promise<void> = Promise.resolve();
  /** By the server's own names, as first seen (I1). */
  tools: readonly ListedTool[] = [];

  private constructor(
    readonly config: McpServerConfig,
    private readonly log: McpLog,
  ) {
    this.events.setMaxListeners(0); // every read that waits is one
  }

  /** Rejects with McpNotStarted, or with McpFailure where it does not say what tools it has. */
  static async start(config: McpServerConfig, log: McpLog): Promise<McpServer> {
    const server = new McpServer(config, log);
    const connection = await server.connect();
    try {
      server.tools = await connection.list();
    } catch (error) {
      await connection.close();
      throw error;
    }
    server.current = connection;
    server.keeping = server.keep(connection);
    const relisting = setInterval(() => void server.relist(), relistMs).unref();
    server.stopping.signal.addEventListener('abort', () => clearInterval(relisting));
    return server;
  }

  /** One request. Rejects with McpFailure, or with the signal's reason. `wait`: for a server that is just being started again. */
  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions & { readonly wait: boolean },
  ): Promise<CallToolResult> {
    if (options.wait && !this.current) await this.up(options.signal);
    const change = this.changed.get(tool);
    if (change)
      throw this.failure('TOOL_CHANGED', `${changeWords[change]} ${tool} since this worker started; ${restart}`);
    if (!this.current) throw this.failure('MCP_UNAVAILABLE', 'is being started again.');
    return this.current.call(tool, args, options);
  }

  /** Ends it for good; calls that run are lost. Can be called again. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.current?.close();
    await this.keeping;
  }

  private failure(code: 'TOOL_CHANGED' | 'MCP_UNAVAILABLE', words: string): McpFailure {
    return new McpFailure(code, `The MCP server "${this.config.name}" ${words}`, false);
  }

  private connect(): Promise<Connection> {
    return connect(this.config, {
      log: this.log,
      toolsChanged: () => void this.relist(),
      signal: this.stopping.signal,
    });
  }

  private async up(signal: AbortSignal): Promise<void> {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(readWaitMs)]);
    await once(this.events, 'up', { signal: waiting }).catch(() => signal.throwIfAborted());
  }

  private async keep(first: Connection): Promise<void> {
    const { name: server } = this.config;
    let inARow = 0;
    for (let connection: Connection | undefined = first; connection; ) {
      const since = performance.now();
      const lastWords = await connection.gone;
      this.current = undefined;
      if (this.stopping.signal.aborted) return;
      this.log.warn({ server, lastWords }, 'an MCP server is gone; it is started again');
      if (performance.now() - since >= stableAfterMs) inARow = 0;
      connection = undefined;
      while (!connection && !this.stopping.signal.aborted) connection = await this.again(inARow++);
    }
  }

  /** Undefined where it did not come up, or is to end. */
  private async again(inARow: number): Promise<Connection | undefined> {
    const waitMs = inARow === 0 ? 0 : Math.min(firstWaitMs * 2 ** (inARow - 1), maxWaitMs);
    await sleep(waitMs, undefined, { signal: this.stopping.signal }).catch(() => {});
    if (this.stopping.signal.aborted) return undefined;
    let connection: Connection | undefined;
    try {
      connection = await this.connect();
      this.compare(await connection.list()); // I2
      if (this.stopping.signal.aborted) throw new Error('it is to end');
      this.current = connection;
      this.events.emit('up');
      return connection;
    } catch (error) {
      await connection?.close();
      this.log.warn({ server: this.config.name, why: String(error) }, 'an MCP server could not be started again');
      return undefined;
    }
  }

  private async relist(): Promise<void> {
    try {
      if (this.current) this.compare(await this.current.list());
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.log.warn({ server: this.config.name, why: String(error) }, 'an MCP server does not say what tools it has');
    }
  }

  private compare(now: readonly ListedTool[]): void {
    const hashes = new Map(now.map(({ name, hash }) => [name, hash]));
    for (const { name, hash } of this.tools) {
      const change = !hashes.has(name) ? 'gone' : hashes.get(name) === hash ? undefined : 'other';
      if (change === this.changed.get(name)) continue;
      if (change) this.changed.set(name, change);
      else this.changed.delete(name);
      this.log.warn(
        { server: this.config.name, tool: name, change: change ?? 'back' },
        'an MCP tool is not what it was',
      );
    }
  }
}

const changeWords = { gone: 'has taken away', other: 'has changed' } as const;
const restart = 'it is refused until a person has looked at it and started the worker again.';
