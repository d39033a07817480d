import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Act, Caller } from '../protocol/roles';
import type { Session } from '../requests/session';
import type { Answers } from './answers';
import type { Gateway } from './gateway';

/** A request that was let in: who asks, and what, checked. */
export interface Asked<Query = unknown, Body = unknown> {
  readonly gateway: Gateway;
  readonly caller: Caller;
  /** What a request works with: the caller's tenant, and the caller as its sender. */
  readonly session: Session;
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** One line of the API: what the server registers, the OpenAPI document shows and `fuzz` tries. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** As OpenAPI writes it: `{id}`. */
  readonly path: string;
  /** Who may; `null`: anybody, and there is no caller. */
  readonly act: Act | null;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** A definition of the published schema of answers, or the media type of what else is answered. */
  readonly answers: keyof Answers | { readonly type: string };
  /** What is returned is sent as JSON; undefined where it was sent already. */
  readonly handle: (asked: Asked<never, never>) => Promise<unknown>;
}

interface Written<Query extends z.ZodObject, Body extends z.ZodType, Name extends Route['answers']>
  extends Omit<Route, 'query' | 'body' | 'answers' | 'handle'> {
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: Name;
  readonly handle: (
    asked: Asked<z.output<Query>, z.output<Body>>,
  ) => Promise<Name extends keyof Answers ? Answers[Name] | undefined : unknown>;
}

/** A route whose handler has the types of its own schemas. */
export const route = <
  Name extends Route['answers'],
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodUndefined,
>(
  written: Written<Query, Body, Name>,
): Route => written as unknown as Route;

/** Of a page: where it begins and how much it holds. */
export const limitOf = (usual: number, most: number) =>
  z.coerce.number().int().min(1).max(most).default(usual).describe(`At most so many; ${usual} where left out.`);
