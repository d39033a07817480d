import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic, { type SetHeadersResponse } from '@fastify/static';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { LedgerUnavailableError } from '../activities/ledger-port';
import { BadCursorError } from '../ledger/queries/attempt-list';
import { ledgerError } from '../ledger/unavailable';
import type { Caller } from '../protocol/roles';
import { RequestRefused } from '../requests/request-refused';
import { type Admit, createAdmission } from './admission';
import { checkOrigin } from './allowed-origin';
import { contentSecurityPolicy } from './content-security-policy';
import type { Gateway } from './gateway';
import { once, postedUnder, requestIdOf } from './idempotent';
import { withWholeId } from './path-of-attempt';
import { Problem, problemType } from './problem';
import { refusedProblem } from './refused-problem';
import type { Asked, Route } from './route';
import { sessionOf } from './session-of';
import { checkTellable } from './tellable';

export interface ServerOptions {
  readonly gateway: Gateway;
  readonly routes: readonly Route[];
  readonly logger: Logger;
  /** Names, beside those of this machine, that it is called. */
  readonly hosts: readonly string[];
  readonly requestsPerMinute: number;
  /** What is served under `/`; nothing where left out. */
  readonly consoleFolder?: string | undefined;
}

/** A task file, or what a person says, with room to spare; longer bodies are refused before they are read. */
const bodyBytesMax = 1024 * 1024;
/** A request whose head or body comes so slowly holds a connection for nothing. */
const requestTimeoutMs = 30_000;

/** The API on Fastify: who comes is known, and what is asked is checked, before a handler sees it. */
export async function createServer({
  gateway,
  routes,
  logger,
  hosts,
  requestsPerMinute,
  consoleFolder,
}: ServerOptions): Promise<FastifyInstance> {
  const server = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Each request would be two lines; what failed is logged below.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    rewriteUrl: (request) => withWholeId(request.url ?? '/'),
    routerOptions: { maxParamLength: 200 },
    // Readers are told to go, and then nobody waits for them.
    forceCloseConnections: true,
  });
  server.setErrorHandler((error, _request, reply) => answerProblem(reply, problemOf(error, logger)));
  server.setNotFoundHandler((request, reply) => {
    answerProblem(reply, new Problem('not_found', `There is no ${request.method} ${request.url.split('?')[0]}.`));
  });
  server.addHook('onRequest', async (request) => checkOrigin(request.headers, hosts));
  await server.register(helmet, { contentSecurityPolicy, hsts: false });
  await server.register(rateLimit, { global: false });
  const admit = createAdmission(server, gateway, requestsPerMinute);
  // Its files are named by their content; the page that names them is asked for anew.
  if (consoleFolder !== undefined)
    await server.register(fastifyStatic, {
      root: consoleFolder,
      immutable: true,
      maxAge: '365d',
      setHeaders: freshPage,
    });
  for (const route of routes) register(server, route, gateway, admit);
  return server;
}

function freshPage(response: SetHeadersResponse, path: string): void {
  if (path.endsWith('.html')) response.setHeader('cache-control', 'no-cache');
}

function register(server: FastifyInstance, route: Route, gateway: Gateway, admit: Admit): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  const { act } = route;
  server.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request) => {
      if (act !== null) callers.set(request, await admit(request, act));
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      for (const part of ['params', 'query', 'body'] as const) checkTellable(request[part], part);
      const query = checked(route.query, request.query, 'query');
      const body = checked(route.body, request.body, 'body');
      const posted = route.method === 'POST' && caller !== undefined ? postedUnder(caller, request) : undefined;
      const asked = {
        gateway,
        caller,
        session: caller && sessionOf(gateway, caller, posted && requestIdOf(posted)),
        params: request.params,
        query,
        body,
        request,
        reply,
      } as Asked;
      const work = () => route.handle(asked as Asked<never, never>);
      if (posted === undefined) return work();
      const answer = await once(gateway, posted, async () => ({ status: 200, body: (await work()) ?? null }));
      if (answer.replayed) void reply.header('idempotency-replayed', 'true');
      if (answer.status >= 400) void reply.type(problemType);
      return reply.code(answer.status).send(answer.body);
    },
  });
}

function checked(schema: Route['body'], value: unknown, part: 'query' | 'body'): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => ({
    at: [part, ...path.map(String)].join('.'),
    why: message,
  }));
  throw new Problem('invalid', `The ${part} is not what this takes.`, { errors });
}

function answerProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.problem === 'unauthenticated') void reply.header('www-authenticate', 'Bearer realm="holdfast"');
  if (problem.status === 503) void reply.header('retry-after', '1');
  return reply.code(problem.status).type(problemType).send(problem.document());
}

function problemOf(error: unknown, logger: Logger): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof RequestRefused) return refusedProblem(error);
  if (error instanceof BadCursorError) return new Problem('invalid', error.message);
  const { statusCode = 500, code } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('too_large', `A body has at most ${bodyBytesMax} bytes.`);
  // Fastify's own refusals: no JSON, no such media type.
  if (statusCode >= 400 && statusCode < 500) return new Problem('invalid', (error as Error).message);
  if (ledgerError(error) instanceof LedgerUnavailableError) {
    logger.warn({ error }, 'the database does not answer');
    return new Problem('unreachable', 'The database does not answer.', { next: 'Send it again in a moment.' });
  }
  logger.error({ error }, 'a request failed');
  return new Problem('fault', 'Holdfast failed at this; its log says why.');
}
