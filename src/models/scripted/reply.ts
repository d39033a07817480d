import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Completion, cutAfter } from './completion';
import type { Fault } from './transcript-schema';
import { completionEvents, completionJson, errorJson } from './wire';

export interface Reply {
  readonly model: string;
  /** Id of the completion. */
  readonly id: string;
  readonly stream: boolean;
  readonly answer: Completion;
}

/** Sends the answer, or what its fault makes of it. */
export async function sendReply(response: ServerResponse, reply: Reply, fault: Fault | undefined): Promise<void> {
  if (fault === undefined) return sendAnswer(response, reply);
  if ('status' in fault) return sendStatus(response, fault);
  if ('garbage' in fault) {
    openAnswer(response, reply.stream);
    response.end(reply.stream ? 'data: {"id": oops\n\n' : '{"id": oops');
    return;
  }
  if ('hang' in fault) {
    openAnswer(response, reply.stream);
    response.flushHeaders();
    return;
  }
  if ('cut' in fault) {
    const cut = cutAfter(reply.answer, fault.cut);
    openAnswer(response, reply.stream);
    const sent = reply.stream
      ? completionEvents(reply.model, reply.id, cut).body
      : completionJson(reply.model, reply.id, cut).slice(0, fault.cut);
    response.write(sent, () => response.destroy());
    return;
  }
  if ('huge' in fault) {
    const text = `${hugeWord.repeat(Math.ceil(fault.huge / hugeWord.length)).slice(0, fault.huge)}${reply.answer.text}`;
    return sendAnswer(response, { ...reply, answer: { ...reply.answer, text } });
  }
  if ('badArgs' in fault) {
    const calls = reply.answer.calls.map((call) => ({ ...call, args: `${call.args.slice(0, -1)},` }));
    return sendAnswer(response, { ...reply, answer: { ...reply.answer, calls } });
  }
  await sleep(fault.delayMs);
  return sendAnswer(response, reply);
}

const hugeWord = 'much ';

function sendStatus(response: ServerResponse, fault: Extract<Fault, { status: number }>): void {
  const headers = {
    ...jsonHeaders,
    ...(fault.retryAfter !== undefined && { 'retry-after': String(fault.retryAfter) }),
  };
  response.writeHead(fault.status, headers);
  response.end(errorJson(`scripted fault: status ${fault.status}`, fault.type ?? 'scripted_fault'));
}

function sendAnswer(response: ServerResponse, { stream, model, id, answer }: Reply): void {
  openAnswer(response, stream);
  if (!stream) {
    response.end(completionJson(model, id, answer));
    return;
  }
  const { body, end } = completionEvents(model, id, answer);
  response.end(body + end);
}

const jsonHeaders = { 'content-type': 'application/json' };

function openAnswer(response: ServerResponse, stream: boolean): void {
  response.writeHead(200, stream ? { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' } : jsonHeaders);
}
