import type { EffectClass } from '../../../src/domain/effect/effect';

/** What the shop calls the write of a class, and which of its arguments names the business operation. */
export const shopOperation: Readonly<Record<EffectClass, { readonly operation: string; readonly named: string }>> = {
  idempotent: { operation: 'set_note', named: 'orderId' },
  deduplicated: { operation: 'create_refund', named: 'orderId' },
  probed: { operation: 'wire_transfer', named: 'iban' },
  unsafe: { operation: 'send_email', named: 'to' },
};
