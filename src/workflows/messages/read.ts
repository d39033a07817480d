import type { z } from 'zod';
import { jobTokenHash } from '../../domain/job/token';
import { type MessageContent, maxTypedBytes, signalNames } from '../../protocol/messages';
import { shownNameMax, shownWhyMax } from '../limits';
import { byteLength } from './byte-length';
import {
  answerShape,
  cancelShape,
  jobSettledShape,
  reconcileShape,
  resumeShape,
  sayShape,
  suspendShape,
  whatIsWrong,
} from './shapes';

/** A message as somebody typed it, with the id that its sender gave it. */
export interface Read {
  readonly messageId?: string | undefined;
  readonly content: MessageContent;
}

export type KnownName = keyof typeof signalNames;
export const isKnown = (name: string): name is KnownName => Object.hasOwn(signalNames, name);

/** Reads what a person or a program typed; what nobody knows or nobody can read becomes a message that says why. */
export function read(name: string, argument: unknown): Read {
  if (!isKnown(name)) return unknown(name, `no signal is called so; known are ${Object.keys(signalNames).join(', ')}`);
  switch (name) {
    case 'say':
      return as(name, sayShape, argument, ({ messageId, ...body }) => [messageId, { kind: name, body: given(body) }]);
    case 'cancel':
      return as(name, cancelShape, argument, ({ messageId, ...body }) => [
        messageId,
        { kind: name, body: given(body) },
      ]);
    case 'approve':
    case 'deny':
      return as(name, answerShape, argument, ({ decisionId, ...body }) => [
        decisionId,
        { kind: name, body: given(body) },
      ]);
    case 'suspend':
      return as(name, suspendShape, argument, ({ messageId, ...body }) => [messageId, { kind: name, body }]);
    case 'resume':
      return as(name, resumeShape, argument, ({ messageId, by, budget }) => [
        messageId,
        { kind: name, body: { by, ...(budget && { budget }) } },
      ]);
    case 'reconcile':
      return as(name, reconcileShape, argument, ({ messageId, ...body }) => [messageId, { kind: name, body }]);
    case 'childEnded':
      return unknown(name, 'only the runtime says that a child has ended');
    case 'effectSettled':
      return as(name, jobSettledShape, argument, ({ messageId, token, ...body }) => [
        messageId,
        { kind: name, body: given({ ...body, tokenHash: jobTokenHash(token) }) },
      ]);
  }
}

/** A typed message goes through history, so a long one is refused; its text goes no further than this. */
function as<T>(
  name: KnownName,
  shape: z.ZodType<T>,
  argument: unknown,
  parts: (data: T) => [id: string | undefined, content: MessageContent],
): Read {
  const parsed = shape.safeParse(argument);
  if (!parsed.success) return unknown(name, whatIsWrong(parsed.error));
  const [messageId, content] = parts(parsed.data);
  const bytes = byteLength(JSON.stringify(content.body));
  if (bytes <= maxTypedBytes) return { messageId, content };
  const why = `it has ${bytes} bytes and a typed one may have ${maxTypedBytes}; send it with \`holdfast ${name}\``;
  return { messageId, ...unknown(name, why) };
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };
/** JSON has no undefined: a key that is there has a value. */
const given = <T extends object>(body: T) => body as Given<T>;

function unknown(name: string, why: string): { readonly content: MessageContent } {
  return { content: { kind: 'unknown', body: { name: name.slice(0, shownNameMax), why: why.slice(0, shownWhyMax) } } };
}
