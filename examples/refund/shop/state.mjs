import { cents, euros } from './arguments.mjs';
import { Refusal } from './refusal.mjs';

/** What the shop knows: the journal, read from its first line to its last. Nothing but `apply` changes it. */
export class State {
  orders = new Map();
  refunds = new Map();
  transfers = new Map();
  /** Idempotency keys and references of transfers: the line that first used each, or that made it void. */
  keys = new Map();

  apply(line) {
    const { seq, at, operation, key, args } = line;
    switch (operation) {
      case 'open_order':
        this.orders.set(args.orderId, { ...args, note: '', refunds: [] });
        break;
      case 'create_refund':
        this.keys.set(key, line);
        this.refunds.set(idOf(line), { ...args, at, status: 'settled' });
        this.orders.get(args.orderId).refunds.push(idOf(line));
        break;
      case 'reverse_refund':
        this.keys.set(key, line);
        this.refunds.get(args.refundId).status = 'reversed';
        break;
      case 'wire_transfer':
        this.keys.set(args.reference, this.keys.get(args.reference) ?? line);
        this.transfers.set(idOf(line), { ...args, at });
        break;
      case 'set_note':
        this.orders.get(args.orderId).note = args.note;
        break;
      case 'void_key':
        this.keys.set(args.key, line);
        break;
      case 'send_email':
        break; // the line is all there is of it
      default:
        throw new Error(`Line ${seq} of the journal has the unknown operation "${operation}".`);
    }
  }

  /** Throws a Refusal where there is none. */
  order(orderId) {
    const order = this.orders.get(orderId);
    if (order === undefined) throw new Refusal(404, 'NO_SUCH_ORDER', `There is no order ${orderId}.`);
    return order;
  }

  /** Throws a Refusal where there is none. */
  refund(refundId) {
    const refund = this.refunds.get(refundId);
    if (refund === undefined) throw new Refusal(404, 'NO_SUCH_REFUND', `There is no refund ${refundId}.`);
    return refund;
  }

  /** Euros of the order that were paid back and not taken back again. */
  refundedOf(order) {
    const amounts = order.refunds.map((id) => this.refunds.get(id)).filter(({ status }) => status === 'settled');
    return euros(amounts.reduce((sum, { amount }) => sum + cents(amount), 0));
  }
}

const prefixes = { create_refund: 'refund', reverse_refund: 'reversal', wire_transfer: 'transfer', send_email: 'mail' };

/** The shop's own id of what a line did: never given twice, since sequences are not. */
export function idOf({ operation, seq }) {
  return `${prefixes[operation] ?? operation}-${seq}`;
}
