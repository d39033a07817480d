import { attemptDetails } from '../../src/ledger/queries/attempt-details';
import { pendingOf } from '../../src/requests/pending/pending-of';
import { defineTool } from '../../src/tools/define-tool';
import { Rejected } from '../../src/tools/rejected';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

let credentials: string | undefined;
let asked = 0;
const noCredentials = () =>
  Promise.reject(
    new Rejected('NO_SHOP_TOKEN', 'The shop takes no call without a token.', {
      because: 'credentials',
      suggestedAction: 'Set SHOP_TOKEN and start the worker again.',
    }),
  );
const tools = [
  defineTool({
    name: 'lookup_order',
    description: 'An order.',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    effect: 'none',
    workspace: false,
    quick: true,
    timeoutMs: 5_000,
    run: async () => {
      asked += 1;
      return credentials === undefined ? noCredentials() : ok('paid');
    },
  }),
  tool({ name: 'get_time', run: () => ok('noon') }),
];

let world: AttemptWorld;
beforeAll(async () => {
  const look = { tool: 'lookup_order', args: {} };
  const attempts = {
    shop: { 1: { calls: [look, { tool: 'get_time', args: {} }] }, 2: { calls: [look] }, 3: { text: 'It is paid.' } },
  };
  world = await attemptWorld({ transcript: { attempts }, tools });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

test('R8.6 missing credentials of a tool stop the attempt with its state saved and name the tool and the way out; a word goes on, and nothing is lost', async () => {
  const ref = await world.start({ task: 'shop' });
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
  expect(asked).toBe(1); // no try of the same is made

  const details = await attemptDetails(world.pool, ref);
  expect(pendingOf('default', details, [])).toEqual([
    expect.objectContaining({
      kind: 'message',
      text: 'lookup_order cannot be used: NO_SHOP_TOKEN · The shop takes no call without a token. Set SHOP_TOKEN and start the worker again.',
      advice: 'Mend that first; any word then makes it try again.',
      command: 'holdfast say shop/1 "…"',
    }),
  ]);

  credentials = 'here';
  await world.send(ref, { kind: 'say', body: { text: 'It has one now.' } }, 'm1');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  // The call that was behind it was told not to have run, and the model saw why the first one stopped.
  expect(await observations(world.pool, ref)).toMatchObject([
    { ok: false, code: 'NO_SHOP_TOKEN' },
    { ok: false, code: 'NOT_RUN' },
    { ok: true, text: 'paid' },
  ]);
});
