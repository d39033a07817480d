import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { configOfProcess } from '../../../src/config';
import { type RunningGateway, startGateway } from '../../../src/gateway/start-gateway';
import { makeToken } from '../../../src/ledger/tokens';
import { createLogger } from '../../../src/logger';
import type { Transcript } from '../../../src/models/scripted/transcript-schema';
import { type Role, roles } from '../../../src/protocol/roles';
import { type CliWorld, cliWorld } from '../../cli/support/cli-world';
import { type Frame, type Loose, readFrames } from './read-frames';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  /** Parsed where it is JSON. */
  readonly body: Loose;
}
export interface Asking {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A gateway before the servers, worker and shop of `cliWorld`. */
export interface GatewayWorld {
  readonly cli: CliWorld;
  readonly gateway: RunningGateway;
  token(options?: {
    readonly tenant?: string;
    readonly principal?: string;
    readonly roles?: readonly Role[];
  }): Promise<string>;
  /** Sent with a token of all roles where none is given, and with none where it is null. */
  get(path: string, asking?: Asking): Promise<Answer>;
  post(path: string, body: unknown, asking?: Asking): Promise<Answer>;
  stream(path: string, asking?: Asking & { readonly signal?: AbortSignal }): AsyncGenerator<Frame>;
  /** Ends the gateway and starts another one on its port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** `port`: any that is free where it is 0. */
export async function gatewayWorld(
  transcript: Transcript,
  rules = 'rules: []\n',
  port = 0,
  requestsPerMinute = 600,
): Promise<GatewayWorld> {
  const cli = await cliWorld(transcript, rules);
  const config = configOfProcess();
  const { databaseUrl, temporal } = config;
  if (databaseUrl === undefined || temporal === undefined) throw new Error('cliWorld names its servers');
  const serve = () =>
    startGateway({
      config: { ...config, gateway: { ...config.gateway, requestsPerMinute } },
      databaseUrl,
      temporal,
      address: { host: '127.0.0.1', port },
      logger: createLogger('silent', 'gateway'),
      consoleFolder: resolve(__dirname, '../../../dist/console'),
    });
  let gateway = await serve().catch(async (error) => {
    await cli.close();
    throw error;
  });
  const token: GatewayWorld['token'] = async ({ tenant = 'default', principal = 'ana', roles: given = roles } = {}) => {
    const expiresAt = new Date(Date.now() + 60 * 60_000);
    const made = await makeToken(cli.attempts.pool, { tenant, principal, roles: given, madeBy: 'test', expiresAt });
    return made.token;
  };
  const usual = await token();
  const headersOf = ({ token: given = usual, headers }: Asking) => ({
    ...(given !== null && { authorization: `Bearer ${given}` }),
    ...headers,
  });
  return {
    cli,
    get gateway() {
      return gateway;
    },
    async restart() {
      await gateway.stop();
      gateway = await serve();
    },
    token,
    get: async (path, asking = {}) => answerOf(await fetch(`${gateway.url}${path}`, { headers: headersOf(asking) })),
    post: async (path, body, asking = {}) =>
      answerOf(
        await fetch(`${gateway.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...headersOf(asking) },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    async *stream(path, asking = {}) {
      const { signal } = asking;
      const response = await fetch(`${gateway.url}${path}`, {
        headers: { accept: 'text/event-stream', ...headersOf(asking) },
        ...(signal && { signal }),
      });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      yield* readFrames(response);
    },
    async close() {
      await gateway.stop();
      await cli.close();
    },
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  const body = type.includes('json') ? JSON.parse(text) : text;
  return { status: response.status, type, headers: response.headers, body };
}
