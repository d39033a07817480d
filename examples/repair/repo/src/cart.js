import { percentOf } from './money.js';

/** What the items cost together, in cents; a line is `{ price, quantity }`. */
export function total(lines, discountPercent = 0) {
  let sum = 0;
  for (const { price, quantity } of lines) {
    const amount = price * quantity;
    sum += amount - percentOf(amount, discountPercent);
  }
  return sum;
}
