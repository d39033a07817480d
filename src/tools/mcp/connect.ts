import {
  type CallToolResult,
  Client,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { callFailure, isTooLong } from './call-failure';
import { type ListedTool, listedTool } from './listed-tool';
import type { McpServerConfig } from './mcp-config';
import type { McpLog } from './mcp-log';
import { McpNotStarted } from './not-started';
import { type OpenTransport, openTransport } from './open-transport';
import { wordsOf } from './words-of';

/** Of this client, as servers log it. */
const clientVersion = '1';
/** Enough for `npx` to fetch a server that nobody has started here before, ms. */
const connectTimeoutMs = 30_000;
/** A list takes milliseconds; a server that is busy with a long call may keep it waiting for a while, ms. */
const listTimeoutMs = 10_000;
/** Of what a server said, in one line of an error, characters. */
const saidMax = 500;

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Ms; the signal usually ends the call before. */
  readonly timeoutMs: number;
  /** Only of a write. */
  readonly idempotencyKey?: string;
}

/** One life of an MCP server, from its start to its end; every call is one request, never repeated. */
export interface Connection {
  /**
   * What the server says, without the secrets of its settings (R10.4). Rejects with McpFailure, or with the signal's reason
   * after telling the server that nobody waits any more.
   */
  call(tool: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult>;
  /** Rejects with McpFailure. */
  list(): Promise<readonly ListedTool[]>;
  /** Resolves with the server's last words when it is gone, whoever ended it. */
  readonly gone: Promise<string>;
  /** Ends the server with all that it started, or the session with it; resolves within 5 s. Can be called again. */
  close(): Promise<void>;
}

/** What to tell about while it lives. */
export interface Told {
  readonly log: McpLog;
  /** The server says that its tools are others now. */
  readonly toolsChanged: () => void;
  /** Ends a start that nobody waits for any more. */
  readonly signal: AbortSignal;
}

/** Starts a server, or a session with it. Rejects with McpNotStarted. */
export async function connect(
  config: McpServerConfig,
  told: Told,
  timeoutMs: number = connectTimeoutMs,
): Promise<Connection> {
  try {
    return await open(config, told, 'legacy', timeoutMs);
  } catch (error) {
    if (!(error instanceof McpNotStarted) || !refusesHandshake(error.cause)) throw error;
    return await open(config, told, 'auto', timeoutMs);
  }
}

/** A server of the newest revision alone knows no handshake; to ask every server which it knows would start each twice. */
const refusesHandshake = (error: unknown) =>
  error instanceof ProtocolError || (error instanceof SdkHttpError && error.status === 400);

async function open(
  config: McpServerConfig,
  told: Told,
  mode: 'legacy' | 'auto',
  connectMs: number,
): Promise<Connection> {
  const { name: server, transport } = config;
  const opened = openedOf(config, told);
  const { redaction } = opened;
  const said = (error: unknown) => redaction.text(wordsOf(error)).slice(0, saidMax);
  const client = createClient(mode, told);
  let trouble: unknown;
  client.onerror = (error) => {
    trouble = error;
    told.log.debug({ server, said: said(error) }, 'trouble with an MCP server');
  };
  const gone = new Promise<string>((resolve) => {
    client.onclose = () => resolve(opened.lastWords());
  });
  await client.connect(opened.transport, { timeout: connectMs, signal: told.signal }).catch(async (error: unknown) => {
    await client.close().catch(() => {});
    throw new McpNotStarted(config, error, said(error), opened.lastWords());
  });

  const asking = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      const failure = callFailure(server, causeOf(error, trouble), said(error));
      // A server that is reached anew with each request does not end: one that is away, or has forgotten the session, has.
      if (transport.kind === 'http' && failure.code === 'MCP_UNAVAILABLE') void client.close().catch(() => {});
      throw failure;
    }
  };
  return {
    gone,
    close: () => client.close(),
    list: async () => {
      const { tools } = await asking(() =>
        client.listTools(undefined, { cacheMode: 'bypass', timeout: listTimeoutMs, signal: told.signal }),
      );
      return tools.map((tool) => listedTool({ ...redaction.json(tool), name: tool.name }));
    },
    call: async (tool, args, { signal, timeoutMs, idempotencyKey }) => {
      const _meta = idempotencyKey === undefined ? {} : { _meta: { 'holdfast/idempotencyKey': idempotencyKey } };
      const onprogress = ({ progress, total }: Progress) =>
        told.log.debug({ server, tool, progress, total }, 'an MCP tool is getting on');
      try {
        const result = await asking(() =>
          client.request(
            { method: 'tools/call', params: { name: tool, arguments: { ...args }, ..._meta } },
            { signal, timeout: timeoutMs, onprogress },
          ),
        );
        return redaction.json(result);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}
type Progress = Parameters<NonNullable<RequestOptions['onprogress']>>[0];

function openedOf(config: McpServerConfig, { log }: Told): OpenTransport {
  try {
    return openTransport(config.transport, (line) => log.info({ server: config.name, line }, 'an MCP server says'));
  } catch (error) {
    throw new McpNotStarted(config, error, wordsOf(error), '');
  }
}

/** A connection that closed in a call closed for what went wrong with it just before. */
const causeOf = (error: unknown, trouble: unknown) =>
  error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed && isTooLong(trouble) ? trouble : error;

function createClient(mode: 'legacy' | 'auto', told: Told): Client {
  return new Client(
    { name: 'holdfast', version: clientVersion },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: told.toolsChanged } },
    },
  );
}
