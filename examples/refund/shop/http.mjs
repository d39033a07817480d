import { createServer } from 'node:http';
import { Refusal } from './refusal.mjs';
import { routeOf } from './routes.mjs';

/** Bytes. Several times the longest text that an operation takes. */
const bodyMax = 64 * 1024;
/** Said for `commit_then_500`, and for what the shop did not foresee: it promises nothing about what was done. */
const vague = { error: { code: 'INTERNAL', message: 'Something went wrong.' } };

/** The shop over HTTP. Whoever calls it is trusted: it listens on this machine alone. */
export function createShopServer(shop, faults) {
  return createServer((request, response) => {
    handle(shop, faults, request, response).catch((error) => {
      if (error instanceof Refusal) return send(response, error.status, error.body);
      console.error(error);
      send(response, 500, vague);
    });
  });
}

async function handle(shop, faults, request, response) {
  const route = routeOf(request.method, request.url);
  const body = await readBody(request);
  if (route.admin !== undefined) return send(response, 200, route.admin({ shop, faults, body, query: route.args }));

  const { operation } = route;
  const args = { ...body, ...route.args };
  const key = request.headers['idempotency-key'];
  const fault = faults.take(operation, args, request.headers['x-shop-fault']);
  const asked = { operation, ...(key !== undefined && { key }), args };

  if (fault?.fault === 'refuse') throw new Refusal(422, 'REFUSED', 'The shop refuses this one.');
  if (fault?.fault === 'drop_before_commit') return response.destroy();
  if (fault?.fault === 'slow_before_commit') await faults.hold({ ...asked, committed: false }, fault.ms);

  const { repeated, result } = shop.perform(operation, args, key);
  if (fault?.fault === 'commit_then_drop') return response.destroy();
  if (fault?.fault === 'commit_then_500') return send(response, 500, vague);
  if (fault?.fault === 'commit_then_hang') await faults.hold({ ...asked, committed: true }, fault.ms);
  send(response, repeated || request.method !== 'POST' ? 200 : 201, result);
}

/** The JSON object of a request; `{}` where it has no body. Throws a Refusal for anything else. */
async function readBody(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > bodyMax) throw new Refusal(413, 'TOO_LARGE', `A body has at most ${bodyMax} bytes.`);
    parts.push(part);
  }
  if (length === 0) return {};
  try {
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new Refusal(400, 'BAD_JSON', 'The body must be a JSON object.');
}

/** Nobody may be there to read it. */
function send(response, status, body) {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
