import { appendFileSync } from 'node:fs';
import type { SendResult, ToolDefinition, WriteContext } from '../../../src/activities/ports';
import { type EffectClass, effectClasses } from '../../../src/domain/effect/effect';
import { defineTool } from '../../../src/tools/define-tool';
import { Rejected } from '../../../src/tools/rejected';
import type { Point } from './points';

/**
 * Writes on the shop of examples/refund, of every effect class, for both lanes and in two shapes. `bare`: each action is an
 * operation of its own, and claim and SENT are one commit. `whole`: a business key, and `prepare` between claim and SENT.
 */
export interface ShopToolKind {
  readonly effect: EffectClass;
  readonly lane: 'local' | 'regular';
  readonly shape: 'bare' | 'whole';
}
/** An unsafe write never runs as a local activity. */
export const shopToolKinds: readonly ShopToolKind[] = effectClasses.flatMap((effect) =>
  (['local', 'regular'] as const).flatMap((lane) =>
    effect === 'unsafe' && lane === 'local'
      ? []
      : (['bare', 'whole'] as const).map((shape) => ({ effect, lane, shape })),
  ),
);
export const shopToolName = ({ effect, lane, shape }: ShopToolKind) => `${effect}_${lane}_${shape}`;

/** Of one request to the shop, ms: shorter than what the shop's slow faults take at their longest. */
export const shopTimeoutMs = 2_000;

const schema = {
  type: 'object',
  properties: {
    /** Names the business operation: an order, an account, an address. */
    op: { type: 'string' },
    amount: { type: 'number' },
    /** Tells two calls of one operation apart, and is no part of it. */
    nth: { type: 'string' },
  },
  required: ['op'],
  additionalProperties: false,
} as const;
interface Args {
  readonly op: string;
  readonly amount?: number;
  readonly nth?: string;
}

export interface ShopToolWays {
  readonly shopUrl: string;
  /** File to which each request of a send appends its key as it is made. */
  readonly sends: string;
  readonly reach: (point: Point, op: string) => Promise<void>;
  readonly edition?: string;
}

export function shopTools(ways: ShopToolWays): ToolDefinition[] {
  return shopToolKinds.map((kind) => shopTool(ways, kind));
}

function shopTool(ways: ShopToolWays, kind: ShopToolKind): ToolDefinition {
  const { effect, lane, shape } = kind;
  const get = (path: string, signal: AbortSignal) => ask(ways.shopUrl, { method: 'GET', path }, signal);
  const common = {
    name: shopToolName(kind),
    description: `A write on the shop (${effect}, ${lane}, ${shape}).${ways.edition ?? ''}`,
    schema,
    timeoutMs: shopTimeoutMs,
    operationArguments: ['op', 'amount'] as const,
    target: ({ op }: Args) => `order:${op}`,
    ...(shape === 'whole' && {
      businessKey: ({ op }: Args) => op,
      prepare: async (args: Args, { signal }: WriteContext) => {
        await get(`/orders/${args.op}`, signal);
        return args;
      },
    }),
    send: (key: string, args: Args, { signal }: WriteContext) => send(ways, effect, key, args, signal),
  };
  const quick = lane === 'local';
  switch (effect) {
    case 'unsafe':
      return defineTool({ ...common, effect });
    case 'idempotent':
    case 'deduplicated':
      return defineTool({ ...common, effect, quick });
    case 'probed':
      return defineTool({
        ...common,
        effect,
        quick,
        async probe(key, _args, { signal }) {
          const { body } = await get(`/transfers?reference=${encodeURIComponent(key)}`, signal);
          if (body['status'] !== 'committed') return { kind: 'not_found' };
          return { kind: 'committed', output: JSON.stringify(body), downstreamId: String(body['id']) };
        },
      });
  }
}

async function send(
  { shopUrl, sends, reach }: ShopToolWays,
  effect: EffectClass,
  key: string,
  args: Args,
  signal: AbortSignal,
): Promise<SendResult> {
  await reach('requested', args.op);
  signal.throwIfAborted();
  appendFileSync(sends, `${key}\n`);
  const answer = await ask(shopUrl, requestOf(effect, key, args), signal).finally(() => reach('answered', args.op));
  const { ok, status, body } = answer;
  if (ok)
    return {
      kind: 'committed',
      output: JSON.stringify(body),
      ...(body['id'] ? { downstreamId: String(body['id']) } : {}),
    };
  const { error } = body;
  if (isRefusal(error)) throw new Rejected(error.code, error.message);
  throw new Error(`The shop answered ${status}.`);
}

interface ShopRequest {
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
}

function requestOf(effect: EffectClass, key: string, { op, amount = 40 }: Args): ShopRequest {
  switch (effect) {
    case 'idempotent':
      return { method: 'PUT', path: `/orders/${op}/note`, key, body: { note: `Note of ${op}.` } };
    case 'deduplicated':
      return { method: 'POST', path: '/refunds', key, body: { orderId: op, amount } };
    case 'probed':
      return { method: 'POST', path: '/transfers', key, body: { iban: op, amount, reference: key } };
    case 'unsafe':
      return { method: 'POST', path: '/mails', key, body: { to: op, subject: 'Your order', text: `About ${op}.` } };
  }
}

async function ask(shopUrl: string, { method, path, key, body }: ShopRequest, signal: AbortSignal) {
  const response = await fetch(new URL(path, shopUrl), {
    method,
    signal,
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: Readonly<Record<string, unknown>> = JSON.parse(await response.text());
  return { ok: response.ok, status: response.status, body: answer };
}

/** Only the shop's own no proves that nothing was done. */
function isRefusal(error: unknown): error is { code: string; message: string } {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'committed') === false;
}
