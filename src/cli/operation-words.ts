/**
 * An idempotency key as people speak of what it stands for: `create_refund 1042` for `default/create_refund/1042/g1`. A key
 * without a business key is that of its action: `refund-1042/1/s2.a0`.
 */
export function operationWords(key: string): string {
  const [, operation] = /^[^/]+\/(.+)\/g\d+$/.exec(key) ?? [];
  if (operation === undefined) return key;
  if (/\/s\d+\.a\d+$/.test(operation) || operation.startsWith('compensate/')) return operation;
  return operation.split('/').map(decoded).join(' ');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
