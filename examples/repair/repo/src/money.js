/** So many percent of an amount. */
export function percentOf(cents, percent) {
  return (cents * percent) / 100;
}

/** `1234` as `12.34`. */
export function formatted(cents) {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
