import { isDeepStrictEqual } from 'node:util';
import { cents } from './arguments.mjs';
import { Refusal } from './refusal.mjs';
import { idOf } from './state.mjs';

/**
 * What the shop does. A read has `read`; a write has `decide`, which throws a Refusal, returns the line that did the same
 * thing before, or returns nothing, and `answer`, which tells what a line came to. Nothing here waits, so that what was
 * checked is still true when it is written (shop.mjs joins the two).
 *
 * `key`: `needed`: the key's first use decides, and a repeat gets its answer; `reference`: that argument can be looked
 * for, and can be made void, but is no reason to do anything once; absent: a key that is sent is not looked at.
 */
export const operations = {
  open_order: {
    shape: { orderId: 'text', customer: 'text', email: 'text', paid: 'amount', 'message?': 'text' },
    decide: (state, args) => {
      const { note: _note, refunds: _refunds, ...known } = state.orders.get(args.orderId) ?? {};
      if (known.orderId === undefined) return undefined;
      if (!isDeepStrictEqual(known, { ...args }))
        throw new Refusal(409, 'ORDER_EXISTS', `Order ${args.orderId} is another one.`);
      return { args };
    },
    answer: (state, { args }) => orderView(state, args.orderId),
  },
  lookup_order: {
    shape: { orderId: 'text' },
    read: (state, { orderId }) => orderView(state, orderId),
  },
  get_message: {
    shape: { orderId: 'text' },
    read: (state, { orderId }) => ({ orderId, message: state.order(orderId).message ?? null }),
  },
  set_note: {
    shape: { orderId: 'text', note: 'text' },
    decide: (state, args) => (state.order(args.orderId).note === args.note ? { args } : undefined),
    answer: (_state, { args }) => args,
  },
  create_refund: {
    shape: { orderId: 'text', amount: 'amount' },
    key: 'needed',
    decide: (state, { orderId, amount }) => {
      const order = state.order(orderId);
      const left = cents(order.paid) - cents(state.refundedOf(order));
      if (cents(amount) <= left) return undefined;
      throw new Refusal(
        422,
        'MORE_THAN_PAID',
        `Order ${orderId} has ${money(left)} left to refund, not ${money(cents(amount))}.`,
      );
    },
    answer: (state, line) => refundView(state, idOf(line)),
  },
  get_refund: {
    shape: { 'orderId?': 'text', 'refundId?': 'text' },
    read: (state, { orderId, refundId }) => {
      if (refundId !== undefined) return refundView(state, refundId);
      if (orderId === undefined) throw new Refusal(400, 'BAD_ARGUMENTS', 'Name an orderId or a refundId.');
      const newest = state.order(orderId).refunds.at(-1);
      return newest === undefined ? { orderId, status: 'none' } : refundView(state, newest);
    },
  },
  reverse_refund: {
    shape: { refundId: 'text' },
    key: 'needed',
    decide: (state, { refundId }) => {
      if (state.refund(refundId).status === 'reversed')
        throw new Refusal(422, 'ALREADY_REVERSED', `${refundId} was taken back before.`);
    },
    answer: (state, line) => ({ reversalId: idOf(line), ...refundView(state, line.args.refundId) }),
  },
  wire_transfer: {
    shape: { iban: 'text', amount: 'amount', reference: 'text' },
    key: 'reference',
    decide: () => undefined,
    answer: (_state, line) => ({ id: idOf(line), ...line.args, status: 'committed' }),
  },
  find_transfer: {
    shape: { reference: 'text' },
    read: (state, { reference }) => {
      const found = [...state.transfers].filter(([, transfer]) => transfer.reference === reference);
      const [first] = found;
      if (first !== undefined) return { id: first[0], ...first[1], status: 'committed', count: found.length };
      return { reference, status: isVoid(state, reference) ? 'not_committed_final' : 'not_found' };
    },
  },
  send_email: {
    shape: { to: 'text', subject: 'text', text: 'text' },
    decide: () => undefined,
    answer: (_state, line) => ({ id: idOf(line), to: line.args.to, status: 'sent' }),
  },
  find_key: {
    shape: { key: 'text' },
    read: (state, { key }) => {
      const line = state.keys.get(key);
      if (line === undefined)
        throw new Refusal(404, 'NO_SUCH_KEY', `Nothing has come under the key ${key}; it still may.`, { final: false });
      if (line.operation === 'void_key') return { key, status: 'void', final: true };
      return {
        key,
        status: 'committed',
        final: true,
        operation: line.operation,
        result: operations[line.operation].answer(state, line),
      };
    },
  },
  void_key: {
    shape: { key: 'text' },
    decide: (state, { key }) => {
      const line = state.keys.get(key);
      if (line === undefined || line.operation === 'void_key') return line;
      throw new Refusal(409, 'KEY_USED', `${line.operation} has used the key ${key}.`);
    },
    answer: (_state, { args }) => ({ key: args.key, status: 'void', final: true }),
  },
};

/** The line that a key stands for, where it decides. Throws a Refusal where it stands for something else, or for nothing any more. */
export function byKey(state, operation, args, key) {
  const rule = operations[operation].key;
  if (rule === undefined) return undefined;
  if (rule === 'reference') return notVoid(state, args.reference);
  if (key === undefined) throw new Refusal(400, 'KEY_NEEDED', `${operation} needs an Idempotency-Key.`);
  notVoid(state, key);
  const line = state.keys.get(key);
  if (line === undefined) return undefined;
  if (line.operation === operation && isDeepStrictEqual(line.args, { ...args })) return line;
  throw new Refusal(409, 'KEY_REUSED', `The key ${key} stands for another ${line.operation}.`, { first: line.args });
}

function notVoid(state, key) {
  if (isVoid(state, key))
    throw new Refusal(410, 'KEY_VOID', `The key ${key} was made void; nothing takes effect under it.`);
}

const isVoid = (state, key) => state.keys.get(key)?.operation === 'void_key';
const money = (wholeCents) => `EUR ${(wholeCents / 100).toFixed(2)}`;

function orderView(state, orderId) {
  const { customer, email, paid, note, refunds } = state.order(orderId);
  return { orderId, customer, email, paid, refunded: state.refundedOf(state.order(orderId)), note, refunds };
}

function refundView(state, id) {
  const { orderId, amount, status } = state.refund(id);
  return { id, orderId, amount, status };
}
