import { Refusal } from './refusal.mjs';

/** `:name` in a path is an argument. What follows `?` is one too, and so are the keys of a JSON body. */
const operationRoutes = [
  ['PUT', '/orders/:orderId', 'open_order'],
  ['GET', '/orders/:orderId', 'lookup_order'],
  ['GET', '/orders/:orderId/message', 'get_message'],
  ['PUT', '/orders/:orderId/note', 'set_note'],
  ['POST', '/refunds', 'create_refund'],
  ['GET', '/refunds', 'get_refund'],
  ['GET', '/refunds/:refundId', 'get_refund'],
  ['POST', '/refunds/:refundId/reversal', 'reverse_refund'],
  ['POST', '/transfers', 'wire_transfer'],
  ['GET', '/transfers', 'find_transfer'],
  ['POST', '/mails', 'send_email'],
  ['GET', '/keys/:key', 'find_key'],
  ['POST', '/keys/:key/void', 'void_key'],
];

/** For whoever tests with the shop; nothing goes wrong with these. */
const adminRoutes = [
  ['GET', '/log', ({ shop, query }) => ({ lines: shop.log(Number(query.after ?? 0)) })],
  ['GET', '/faults', ({ faults }) => ({ armed: faults.armed, held: faults.held })],
  ['POST', '/faults', ({ faults, body }) => faults.arm(body)],
  ['DELETE', '/faults', ({ faults }) => told(faults.clear())],
  ['POST', '/faults/release', ({ faults }) => told(faults.release())],
];

/** `{ operation, args }` or `{ admin, args }`. Throws a Refusal where there is none. */
export function routeOf(method, url) {
  const { pathname, searchParams } = new URL(url, 'http://shop');
  const query = Object.fromEntries(searchParams);
  for (const [routeMethod, pattern, operation] of operationRoutes) {
    const named = method === routeMethod && match(pattern, pathname);
    if (named) return { operation, args: { ...query, ...named } };
  }
  for (const [routeMethod, pattern, admin] of adminRoutes) {
    if (method === routeMethod && match(pattern, pathname)) return { admin, args: query };
  }
  throw new Refusal(404, 'NO_SUCH_ROUTE', `There is no ${method} ${pathname}.`);
}

/** The arguments in a path, or undefined where it does not fit. Keys hold slashes, which arrive encoded. */
function match(pattern, pathname) {
  const wanted = pattern.split('/');
  const given = pathname.split('/');
  if (wanted.length !== given.length) return undefined;
  const args = {};
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith(':')) args[part.slice(1)] = decode(given[index]);
    else if (part !== given[index]) return undefined;
  }
  return args;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(400, 'BAD_PATH', `"${text}" is no encoded text.`);
  }
}

function told() {
  return { done: true };
}
