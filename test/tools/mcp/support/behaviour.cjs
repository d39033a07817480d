// What the servers of these tests can do, whatever carries it. Effects and what is heard are lines of a log file.
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.argv[2];
const heard = (line) => appendFileSync(join(folder, 'log'), `${JSON.stringify(line)}\n`);
/** A test changes this file, and so the tools. */
const description = () =>
  existsSync(join(folder, 'description')) ? readFileSync(join(folder, 'description'), 'utf8') : 'Refunds an order.';

const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const text = { type: 'string' };
const number = { type: 'number' };

const tools = () => [
  { name: 'look', description: 'Says what it was asked.', inputSchema: object({ what: text }) },
  { name: 'fail', description: 'Fails as it is told.', inputSchema: object({ as: text }) },
  { name: 'big', description: 'Answers that many characters.', inputSchema: object({ length: number }) },
  {
    name: 'refund',
    description: description(),
    inputSchema: object({ orderId: text, amount: number, idempotencyKey: text }),
  },
  { name: 'reverse', description: 'Takes a refund back.', inputSchema: object({ refundId: text, amount: number }) },
  { name: 'wire', description: 'Sends money.', inputSchema: object({ iban: text, how: text }) },
  { name: 'find', description: 'Looks for a transfer.', inputSchema: object({ reference: text, how: text }) },
];

const told = (structuredContent, isError = false) => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
  isError,
});

/** The result of a call; `undefined` is never answered, `die` ends the server in the call. */
function call({ name, arguments: args, _meta: meta }, die) {
  heard({ call: name, args, meta });
  switch (name) {
    case 'look':
      return told({ what: args.what });
    case 'refund':
    case 'reverse':
      return told({ id: 17, amount: args.amount });
    case 'find':
      return told(JSON.parse(args.how));
    case 'big':
      return { content: [{ type: 'text', text: 'x'.repeat(args.length) }] };
    case 'fail':
    case 'wire':
      return failing(args.as ?? args.how, die);
    default:
      throw Object.assign(new Error(`no tool ${name}`), { rpc: -32602 });
  }
}

function failing(how, die) {
  switch (how) {
    case 'die':
      return die();
    case 'never':
      return undefined;
    case 'nonsense':
      return { content: 'a text is no list', isError: 'perhaps' };
    case 'protocol error':
      throw Object.assign(new Error('the database is locked'), { rpc: -32603 });
    case 'no':
      return told({ error: { code: 'TOO_MUCH', message: 'More than was paid.', committed: false } }, true);
    case 'perhaps':
      return told({ error: { code: 'NO_ANSWER', message: 'The bank did not answer.' } }, true);
    case 'conflict':
    case 'credentials':
    case 'busy':
    case 'argument':
    case 'mood':
      return told(
        { error: { code: 'SAID_NO', message: 'No.', committed: false, because: how, retryAfterMs: 1_500 } },
        true,
      );
    case 'huge':
      return { content: [{ type: 'text', text: 'x'.repeat(10_000_000) }] };
    case 'secret':
      return telling(process.env.SHOP_TOKEN);
    case 'long':
      return told({ id: 'long-1', text: 'x'.repeat(3_000_000) });
    default:
      return told({ id: `done ${how}` });
  }
}

/** A server that repeats what it was trusted with: at once in its answer, and in two pieces to its standard error. */
function telling(token) {
  process.stderr.write(`refused with ${token.slice(0, 8)}`);
  setTimeout(() => process.stderr.write(`${token.slice(8)} at last\n${token.slice(0, 12)}`), 50);
  const error = { code: 'REFUSED', message: `Authorization: Bearer ${token}`, seen: [{ [token]: token }] };
  return { ...told({ error }, true), _meta: { token } };
}

/** The answer to one JSON-RPC request; `undefined` for none. */
exports.answer = (message, die) => {
  const { id, method, params } = message;
  const result = (value) => ({ jsonrpc: '2.0', id, result: value });
  switch (method) {
    case 'initialize':
      return result({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'faulty', version: '1' },
      });
    case 'tools/list':
      return result({ tools: tools() });
    case 'tools/call':
      try {
        const value = call(params, die);
        return value === undefined ? undefined : result(value);
      } catch (error) {
        return { jsonrpc: '2.0', id, error: { code: error.rpc ?? -32603, message: error.message } };
      }
    case 'notifications/cancelled':
      heard({ cancelled: params.requestId });
      return undefined;
    default:
      return id === undefined ? undefined : { jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method}` } };
  }
};
exports.heard = heard;
exports.folder = folder;
