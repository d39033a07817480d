import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { completionOf } from './completion';
import { FaultBook } from './fault-book';
import { findAnswer } from './find-answer';
import { parseTranscript } from './parse-transcript';
import { sendReply } from './reply';
import { type RequestView, viewRequest } from './request-view';
import type { Transcript } from './transcript-schema';
import { errorJson } from './wire';

export interface ScriptedModelOptions {
  /** A YAML or JSON file; throws InputError where it is wrong. */
  readonly transcriptPath?: string;
  /** The same as a value, or as text. */
  readonly transcript?: Transcript | string;
  /** A free one where left out. */
  readonly port?: number;
  /** Told of each request as it came, before it is answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Told of each request that nothing in the transcript answers. */
  readonly onUnmatched?: (description: string) => void;
}

export interface ScriptedModel {
  /** What a model's `baseUrl` is. */
  readonly url: string;
  readonly port: number;
  /** The newest requests, oldest first; at most `maxLogged`. */
  requests(): readonly LoggedRequest[];
  /** Closes every connection; resolves when the port is free. */
  stop(): Promise<void>;
}

export interface LoggedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly attempt: string | undefined;
  readonly step: number | undefined;
  /** Place in the transcript; undefined where nothing fitted. */
  readonly place: string | undefined;
  readonly fault: boolean;
  readonly body: () => unknown;
  /** The connection ended before the answer did. */
  aborted: boolean;
}

/** The log is for tests and for looking; 200 requests of a long attempt are some 50 MB. */
const maxLogged = 200;
/** Above the 4 s for which clients keep an idle connection, so that it is never closed under a request. */
const keepAliveMs = 65_000;

/**
 * A model that answers from a transcript over the OpenAI chat-completions wire. An answer is a pure function of the
 * transcript and the request; which faults were used up is all it remembers. Listens on 127.0.0.1.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const transcript = readTranscript(options);
  const hash = createHash('sha256').update(JSON.stringify(transcript)).digest('hex');
  const faults = new FaultBook();
  const log: LoggedRequest[] = [];

  const chat = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const header = request.headers[(transcript.stepHeader ?? 'x-step').toLowerCase()];
    const view = viewRequest(typeof header === 'string' ? header : undefined, body);
    const found = findAnswer(transcript, view);
    const fault = found && faults.next(`${found.place}/${view.attempt}/${view.step}`, found.answer);
    const logged: LoggedRequest = {
      headers: request.headers,
      attempt: view.attempt,
      step: view.step,
      place: found?.place,
      fault: fault !== undefined,
      body: () => JSON.parse(body.toString('utf8')),
      aborted: false,
    };
    if (log.push(logged) > maxLogged) log.shift();
    options.onRequest?.(logged);
    response.once('close', () => {
      logged.aborted = !response.writableFinished;
    });

    if (found === undefined) {
      const description = describe(view);
      options.onUnmatched?.(description);
      return sendError(response, 422, `no entry of the transcript fits this request: ${description}`);
    }
    const answer = completionOf(found, view, hash);
    const delayMs = (transcript.latencyMs ?? 0) + (found.answer.delayMs ?? 0);
    if (delayMs > 0) await sleep(delayMs);
    const id = `chatcmpl-${answer.calls[0]?.id.slice('call_'.length) ?? hash.slice(0, 24)}`;
    await sendReply(response, { model: transcript.model ?? 'scripted', id, stream: view.stream, answer }, fault);
  };

  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    response.on('error', () => undefined); // the client went away
    route(request, response, transcript, chat).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else sendError(response, 400, error instanceof Error ? error.message : String(error));
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests: () => log,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  transcript: Transcript,
  chat: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (request.method === 'POST' && path === '/v1/chat/completions') return chat(request, response);
  if (request.method === 'GET' && path === '/v1/models') {
    const model = { id: transcript.model ?? 'scripted', object: 'model', created: 0, owned_by: 'holdfast' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [model] }));
    return;
  }
  sendError(response, 404, `this server has no ${request.method} ${path}`);
}

function readTranscript({ transcript, transcriptPath }: ScriptedModelOptions): Transcript {
  if (typeof transcript === 'object') return transcript;
  if (typeof transcript === 'string') return parseTranscript('transcript', transcript);
  if (transcriptPath === undefined) throw new Error('a scripted model needs a transcript');
  return parseTranscript(transcriptPath, readFileSync(transcriptPath, 'utf8'));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(errorJson(message, 'invalid_request_error'));
}

/** Enough of a request to write the missing entry. */
function describe({ attempt, step, conversation }: RequestView): string {
  const { messages, lastUser, lastTool, lastToolResult } = conversation();
  const shown = { attempt, step, messages, lastUser: short(lastUser), lastTool, lastToolResult: short(lastToolResult) };
  return JSON.stringify(shown);
}

/** Enough of a text to know it again in the answer that says which entry is missing. */
const shownMaxChars = 120;

function short(text: string): string {
  return text.length > shownMaxChars ? `${text.slice(0, shownMaxChars)}…` : text;
}
