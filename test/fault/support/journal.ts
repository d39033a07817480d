import type { JournalLine } from '../../examples/refund/support/shop';

/** The key under which a line of the shop's journal was asked for. */
export function keyOf({ key, args }: JournalLine): string {
  return String(args['reference'] ?? key);
}

/** The operation of a line: each has an order, an account or an address of its own. */
export function operationOf({ args }: JournalLine): string {
  return String(args['orderId'] ?? args['iban'] ?? args['to']);
}
