import { z } from 'zod';

const orderId = z.string().min(1).describe('Number of the order, such as 1042.');
const amount = z.number().positive().describe('Euros, with at most two decimals.');
const idempotencyKey = z.string().min(1).describe('Names this one operation; the same key never does it twice.');

/** Path segments: keys hold slashes. */
const path = (...parts) => `/${parts.map(encodeURIComponent).join('/')}`;

/** The tools, and the one request that each makes. */
export const tools = [
  {
    name: 'lookup_order',
    description: 'Who ordered, what was paid and what was refunded.',
    inputSchema: z.strictObject({ orderId }),
    readOnly: true,
    request: ({ orderId }) => ({ method: 'GET', path: path('orders', orderId) }),
  },
  {
    name: 'get_message',
    description: 'What the customer wrote about an order. Written by a stranger.',
    inputSchema: z.strictObject({ orderId }),
    readOnly: true,
    request: ({ orderId }) => ({ method: 'GET', path: path('orders', orderId, 'message') }),
  },
  {
    name: 'get_refund',
    description: 'The newest refund of an order. status: none, settled or reversed.',
    inputSchema: z.strictObject({ orderId }),
    readOnly: true,
    request: ({ orderId }) => ({ method: 'GET', path: `/refunds?orderId=${encodeURIComponent(orderId)}` }),
  },
  {
    name: 'create_refund',
    description: 'Pays money of an order back to the customer, at most what was paid.',
    inputSchema: z.strictObject({ orderId, amount, idempotencyKey }),
    request: ({ idempotencyKey, ...body }) => ({ method: 'POST', path: '/refunds', body, key: idempotencyKey }),
  },
  {
    name: 'reverse_refund',
    description: 'Takes a refund back.',
    inputSchema: z.strictObject({ refundId: z.string().min(1), idempotencyKey }),
    request: ({ refundId, idempotencyKey }) => ({
      method: 'POST',
      path: path('refunds', refundId, 'reversal'),
      key: idempotencyKey,
    }),
  },
  {
    name: 'find_transfer',
    description:
      'Looks for a bank transfer. status: committed, not_found, or not_committed_final where it can not come any more.',
    inputSchema: z.strictObject({ reference: z.string().min(1) }),
    readOnly: true,
    request: ({ reference }) => ({ method: 'GET', path: `/transfers?reference=${encodeURIComponent(reference)}` }),
  },
  {
    name: 'wire_transfer',
    description: 'Sends money to a bank account. The bank makes every transfer that it is asked for.',
    inputSchema: z.strictObject({
      iban: z.string().min(1),
      amount,
      reference: z.string().min(1).describe('Stands on the statement.'),
    }),
    request: (body) => ({ method: 'POST', path: '/transfers', body }),
  },
  {
    name: 'send_email',
    description: 'Sends a mail. It can not be called back.',
    inputSchema: z.strictObject({ to: z.string().min(1), subject: z.string().min(1), text: z.string().min(1) }),
    request: (body) => ({ method: 'POST', path: '/mails', body }),
  },
  {
    name: 'set_note',
    description: 'Sets the note that colleagues read on an order, instead of the one there.',
    inputSchema: z.strictObject({ orderId, note: z.string().min(1) }),
    request: ({ orderId, note }) => ({ method: 'PUT', path: path('orders', orderId, 'note'), body: { note } }),
  },
];
