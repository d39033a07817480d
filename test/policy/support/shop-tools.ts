import { defineTool } from '../../../src/tools/define-tool';
import { createRegistry } from '../../../src/tools/registry';

const done = async () => ({ kind: 'committed', output: 'Done.' }) as const;
const text = { type: 'string' } as const;

const lookupOrder = defineTool({
  name: 'lookup_order',
  description: 'Shows an order.',
  schema: { type: 'object', properties: { orderId: text }, required: ['orderId'], additionalProperties: false },
  effect: 'none',
  workspace: false,
  quick: true,
  timeoutMs: 1_000,
  run: async () => ({ ok: true, output: 'Order.' }),
});

const createRefund = defineTool({
  name: 'create_refund',
  description: 'Refunds an order.',
  schema: {
    type: 'object',
    properties: {
      orderId: text,
      amount: { type: 'number' },
      reason: text,
      express: { type: 'boolean' },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { sku: text, count: { type: 'integer' } },
          required: ['sku'],
          additionalProperties: false,
        },
      },
    },
    required: ['orderId', 'amount'],
    additionalProperties: false,
  },
  effect: 'deduplicated',
  quick: false,
  timeoutMs: 1_000,
  send: done,
});

const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a letter.',
  schema: {
    type: 'object',
    properties: { to: text, body: text },
    required: ['to', 'body'],
    additionalProperties: false,
  },
  effect: 'unsafe',
  timeoutMs: 1_000,
  enforces: { hosts: ({ to }) => [to.split('@')[1] ?? ''] },
  send: done,
});

/** The built-in tools, a read, a write that de-duplicates, and one that nobody makes safe. */
export const shopTools = createRegistry([lookupOrder, createRefund, sendMail]);
