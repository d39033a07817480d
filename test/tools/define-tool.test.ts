import type { ToolDefinition, WriteContext, WriteTool } from '../../src/activities/ports';
import { defineTool } from '../../src/tools/define-tool';
import { Rejected, refusalOf } from '../../src/tools/rejected';

const refund = {
  name: 'create_refund',
  description: 'Refunds an order.',
  schema: {
    type: 'object',
    properties: { orderId: { type: 'string' }, amount: { type: 'number' }, note: { type: 'string' } },
    required: ['orderId', 'amount'],
    additionalProperties: false,
  },
  timeoutMs: 1_000,
} as const;
const committed = async () => ({ kind: 'committed', output: 'done' }) as const;
const context = { signal: new AbortController().signal, tenant: 'acme' } as WriteContext;

const writeOf = (tool: ToolDefinition): WriteTool => {
  if (!('send' in tool)) throw new Error(`${tool.name} is no write`);
  return tool;
};

test('R4.1 a write without a class does not compile, nor a probed one without a probe, nor a quick unsafe one', () => {
  // @ts-expect-error a write has a class
  expect(defineTool({ ...refund, quick: true, send: committed })).toBeDefined();
  // @ts-expect-error `none` is for reads
  const sending = () => defineTool({ ...refund, quick: true, effect: 'none', workspace: false, send: committed });
  expect(sending).toThrow('unknown field "send"');
  // @ts-expect-error a probed write has a probe
  expect(defineTool({ ...refund, quick: true, effect: 'probed', send: committed })).toBeDefined();
  // @ts-expect-error an unsafe write never runs as a local activity
  expect(defineTool({ ...refund, quick: true, effect: 'unsafe', send: committed })).toBeDefined();
  // @ts-expect-error an operation is made of arguments that the tool has
  expect(defineTool({ ...refund, effect: 'unsafe', operationArguments: ['order'], send: committed })).toBeDefined();
  // @ts-expect-error a tool outside the workspace that has a `run` is a read
  const running = () => defineTool({ ...refund, quick: true, effect: 'idempotent', workspace: false, run: committed });
  expect(running).toThrow('unknown field "run"');
});

test('E3 send gets what prepare read, typed, and the arguments where there is no prepare', async () => {
  const plain = writeOf(
    defineTool({
      ...refund,
      effect: 'unsafe',
      send: async (key, { orderId, amount, note }) => ({
        kind: 'committed',
        output: `${key} ${orderId.toUpperCase()} ${amount.toFixed(2)} ${note?.trim()}`,
      }),
    }),
  );
  expect(await plain.send('k', { orderId: 'a', amount: 1 } as never, context)).toEqual({
    kind: 'committed',
    output: 'k A 1.00 undefined',
  });
  const prepared = writeOf(
    defineTool({
      ...refund,
      effect: 'deduplicated',
      quick: true,
      businessKey: ({ orderId }) => orderId,
      operationArguments: ['orderId', 'amount'],
      prepare: async ({ orderId }) => ({ path: `/orders/${orderId}` }),
      send: async (_key, { path }) => ({ kind: 'committed', output: path.slice(1) }),
    }),
  );
  expect(prepared.quick).toBe(true);
  expect(
    await prepared.send('k', (await prepared.prepare?.({ orderId: 'a' } as never, context)) as never, context),
  ).toEqual({ kind: 'committed', output: 'orders/a' });
});

test('E4 a Rejected is the other side saying no; any other error passes through, for it says nothing', async () => {
  const throwing = (error: unknown) =>
    writeOf(defineTool({ ...refund, effect: 'unsafe', send: () => Promise.reject(error) })).send(
      'k',
      {} as never,
      context,
    );

  expect(await throwing(new Rejected('TOO_MUCH', 'More than was paid.', 'Refund at most 40.'))).toEqual({
    kind: 'rejected',
    failure: { class: 'tool_business', code: 'TOO_MUCH' },
    error: {
      code: 'TOO_MUCH',
      message: 'More than was paid.',
      retryable: false,
      suggested_action: 'Refund at most 40.',
    },
  });
  await expect(throwing(new Error('socket hang up'))).rejects.toThrow('socket hang up');
});

test.each([
  ['conflict', { because: 'conflict' }, { class: 'state_conflict' }, 'Look at what is there now, then decide anew.'],
  ['credentials', { because: 'credentials' }, { class: 'unrecoverable' }, expect.stringContaining('operator')],
  [
    'busy',
    { because: 'busy', retryAfterMs: 1_200.4 },
    { class: 'tool_transient', retryAfterMs: 1_201 },
    expect.any(String),
  ],
  [
    'a wait that is none',
    { because: 'busy', retryAfterMs: Number.NaN },
    { class: 'tool_transient' },
    expect.any(String),
  ],
  ['its own words', { because: 'argument', suggestedAction: 'Use cents.' }, { class: 'tool_argument' }, 'Use cents.'],
  ['a word that a module made up', { because: 'mood' as never, suggestedAction: 'x' }, { class: 'tool_business' }, 'x'],
] as const)('R8.2 a Rejected says what the no was about: %s', (_, options, failure, suggested_action) => {
  // What a module without types made up arrives all the same.
  const made = Object.assign(new Rejected('NO', 'No.', { ...options, because: 'business' }), {
    because: options.because,
  });
  if (!('suggestedAction' in options))
    Object.assign(made, { suggestedAction: new Rejected('NO', 'No.', options).suggestedAction });
  expect(refusalOf(made)).toEqual({
    ok: false,
    failure: { ...failure, code: 'NO' },
    error: { code: 'NO', message: 'No.', retryable: failure.class === 'tool_transient', suggested_action },
  });
});

test('E4 a Rejected of a read is its answer', async () => {
  const lookup = defineTool({
    ...refund,
    effect: 'none',
    workspace: false,
    quick: true,
    run: () => Promise.reject(new Rejected('NO_SUCH_ORDER', 'There is no order 7.')),
  });
  if (!('run' in lookup)) throw new Error('it is a read');
  expect(await lookup.run({} as never, {} as never)).toMatchObject({ ok: false, error: { code: 'NO_SUCH_ORDER' } });
});

test('R5.3 the version of a tool changes with its name, description, schema and effect, and with nothing else', () => {
  const versionOf = (changes: object) =>
    defineTool({ ...refund, effect: 'unsafe' as const, send: committed, ...changes }).version;
  const schema = { ...refund.schema, required: ['orderId'] } as const;
  const versions = [{}, { name: 'refund' }, { description: 'Pays back.' }, { schema }, { effect: 'idempotent' }].map(
    versionOf,
  );
  expect(new Set(versions).size).toBe(versions.length);
  expect(versions[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(versionOf({ timeoutMs: 5 })).toBe(versions[0]);
});

describe('E1 a field that no such tool has is refused, with the one that was meant: types are gone when a module is loaded', () => {
  const write = { ...refund, effect: 'deduplicated', quick: true, send: committed };
  const read = { ...refund, effect: 'none', workspace: false, quick: true, run: committed };
  test.each<[string, object, string]>([
    ['a misspelt key', { ...write, busnessKey: () => '1' }, '"busnessKey", which may be meant as "businessKey"'],
    [
      'another case',
      { ...write, credentialdomain: 'x' },
      '"credentialdomain", which may be meant as "credentialDomain"',
    ],
    ['a field of a write on a read', { ...read, businessKey: () => '1' }, 'unknown field "businessKey" (known here:'],
    ['a probe of what is not probed', { ...write, probe: committed }, 'unknown field "probe"'],
    ['a run of a write outside', { ...write, run: committed }, 'unknown field "run"'],
    [
      'what enforces',
      { ...read, enforces: { path: () => [] } },
      '.enforces: unknown field "path", which may be meant as',
    ],
    [
      'a compensation',
      { ...write, compensation: { tol: 'x', args: () => ({}) } },
      '.compensation: unknown field "tol"',
    ],
  ])('%s', (_what, spec, words) => {
    expect(() => defineTool(spec as never)).toThrow(words);
    expect(() => defineTool(spec as never)).toThrow('create_refund');
  });
});

test('R7.3 a tool says how many polls in a row are honest, within what can be kept track of', () => {
  const job = {
    ...refund,
    name: 'job_state',
    effect: 'none',
    workspace: false,
    quick: true,
    run: async () => ({ ok: true, output: '' }) as const,
  } as const;
  expect(defineTool({ ...job, polling: { limit: 50 } })).toMatchObject({ polling: { limit: 50 } });
  for (const limit of [0, -1, 1.5, 301, Number.NaN])
    expect(() => defineTool({ ...job, polling: { limit } })).toThrow(
      'job_state.polling.limit: a whole number from 1 to 300',
    );
});

test('R7.1 a tool says which of its arguments change nothing of what is asked', () => {
  const run = async () => ({ ok: true, output: '' }) as const;
  const look = { ...refund, quick: true, effect: 'none', workspace: false, run } as const;
  expect(defineTool({ ...look, incidental: ['note'] })).toMatchObject({ incidental: ['note'] });
  // @ts-expect-error it is an argument that the tool has
  const wrong = () => defineTool({ ...look, incidental: ['timeoutMs'] });
  expect(wrong).toThrow('create_refund.incidental: "timeoutMs" is no argument of its schema');
});

test('R8.6 a read says what it looks at, as a write says what it acts on', () => {
  const run = async () => ({ ok: true, output: '' }) as const;
  const read = { ...refund, quick: true, effect: 'none', workspace: false, run } as const;
  const made = defineTool({ ...read, target: ({ orderId }) => `order:${orderId}` });
  expect(made.effect === 'none' && made.target?.({ orderId: '7', amount: 1 } as never)).toBe('order:7');
  // What it reads in the workspace is the workspace.
  expect(() => defineTool({ ...read, workspace: true, target: () => 'a' })).toThrow('unknown field "target"');
});
