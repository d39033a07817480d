import { maxTypedBytes } from '../../src/protocol/messages';
import { messagesPerCallMax } from '../../src/workflows/limits';
import { describe as details } from '../../src/workflows/messages/details';
import { Mailbox } from '../../src/workflows/messages/mailbox';
import { decide, signal } from './support/decide';
import { FakeLedger } from './support/fake-ledger';
import { input, proposal } from './support/inputs';

/** The message that a signal becomes; the attempt has a slow model, so nothing has taken it. */
async function received(name: string, argument: unknown) {
  const { run } = await decide(input(), new FakeLedger({}), [], signal(name, argument));
  return run.mailbox.freight();
}

test('M4 a signal with only a messageId is a wake for a row', async () => {
  expect(await received('say', { messageId: 'row-1' })).toEqual({ wakes: ['row-1'] });
});

test('M4 a hand-typed message has its own id, or its place among the signals', async () => {
  expect(await received('say', { text: 'hi', by: 'ana', messageId: 'mine' })).toEqual({
    messages: [{ id: 'mine', kind: 'say', body: { text: 'hi', by: 'ana' } }],
  });
  expect(await received('cancel', { by: 'ana' })).toEqual({
    messages: [{ id: 'signal/1', kind: 'cancel', body: { by: 'ana' } }],
  });
});

test.each([
  ['wave', {}, 'no signal is called so; known are say, cancel, approve'],
  ['constructor', {}, 'no signal is called so'],
  ['say', 'hello', 'expected object'],
  ['say', undefined, 'expected object'],
  ['say', { txt: 'hello' }, 'text:'],
  ['say', { text: 'hello', loud: true }, 'loud'],
  ['cancel', {}, 'by:'],
  ['cancel', { by: 7 }, 'by:'],
  ['approve', { by: 'ana' }, 'actionId, or the binding of the one action that waits, is needed'],
  ['approve', { actionId: 'a', by: 'ana', channel: 'authenticated' }, 'channel'],
  ['deny', { actionId: 'a' }, 'by:'],
  ['suspend', {}, 'by:'],
  ['resume', { by: 'ana', budget: { maxTurn: 9 } }, 'budget: Unrecognized key: "maxTurn"'],
  ['resume', { by: 'ana', budget: { maxTurns: 'many' } }, 'budget.maxTurns:'],
  ['reconcile', { actionId: 'a', outcome: 'perhaps', by: 'ana', evidence: 'x' }, 'outcome:'],
  ['reconcile', { actionId: 'a', outcome: 'committed', by: 'ana' }, 'evidence:'],
  ['effectSettled', { actionId: 'a', outcome: 'succeeded' }, 'token'],
  ['effectSettled', { actionId: 'a', token: 't', outcome: 'committed' }, 'outcome'],
])('M4 the signal %s with %j is kept to be rejected, and says why', async (name, argument, why) => {
  const { messages } = await received(name, argument);
  expect(messages).toEqual([{ id: 'signal/1', kind: 'unknown', body: { name, why: expect.stringContaining(why) } }]);
});

test.each<[string, object, object]>([
  [
    'approve',
    { actionId: 'task/1/s1.a0', by: 'ana', binding: 'b', reason: 'fine', decisionId: 'd1' },
    { id: 'd1', kind: 'approve', body: { actionId: 'task/1/s1.a0', by: 'ana', binding: 'b', reason: 'fine' } },
  ],
  ['deny', { binding: 'b', by: 'ana' }, { id: 'signal/1', kind: 'deny', body: { binding: 'b', by: 'ana' } }],
  ['suspend', { by: 'ana' }, { id: 'signal/1', kind: 'suspend', body: { by: 'ana' } }],
  [
    'resume',
    { by: 'ana', budget: { maxCostUsd: 5.5, maxRuntimeSeconds: 900 } },
    { id: 'signal/1', kind: 'resume', body: { by: 'ana', budget: { maxCostUsd: 5.5, maxRuntimeSeconds: 900 } } },
  ],
  [
    'reconcile',
    { actionId: 'a', outcome: 'not_committed', by: 'ana', evidence: 'No row.', messageId: 'r1' },
    { id: 'r1', kind: 'reconcile', body: { actionId: 'a', outcome: 'not_committed', by: 'ana', evidence: 'No row.' } },
  ],
  [
    'effectSettled',
    { actionId: 'a', token: 'abc', outcome: 'succeeded', output: '12 files' },
    {
      id: 'signal/1',
      kind: 'effectSettled',
      // R10.4: the token goes no further than the handler.
      body: {
        actionId: 'a',
        tokenHash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        outcome: 'succeeded',
        output: '12 files',
      },
    },
  ],
])('M4 R5.5 the signal %s is read as it was typed: %j', async (name, argument, message) => {
  expect(await received(name, argument)).toEqual({ messages: [message] });
});

test('M4 R5.3 a decision that is sent twice under its own id is one message', async () => {
  const decision = { actionId: 'task/1/s1.a0', by: 'ana', decisionId: 'd1' };
  const sent = [signal('approve', decision), signal('approve', decision)];
  const { run } = await decide(input(), new FakeLedger({}), [], ...sent);
  expect(run.mailbox.freight().messages).toHaveLength(1);
});

test('M4 a typed text over the limit goes no further than the signal', async () => {
  const { messages } = await received('say', { text: 'é'.repeat(maxTypedBytes / 2), messageId: 'long' });
  expect(messages).toEqual([
    { id: 'long', kind: 'unknown', body: { name: 'say', why: expect.stringContaining('holdfast say') } },
  ]);
  expect(JSON.stringify(messages).length).toBeLessThan(300);
});

test('M4 a flood rides a bounded part at a time, in order, and leaves only as it is named', () => {
  const mailbox = new Mailbox();
  for (let i = 1; i <= 200; i += 1) mailbox.wake(`m${i}`, 'say');
  const { wakes = [] } = mailbox.freight();
  expect(wakes).toHaveLength(messagesPerCallMax);
  expect(mailbox.fitsOneFreight).toBe(false);

  mailbox.drop(wakes.map((id) => ({ id, as: 'taken' })));
  expect(mailbox.freight().wakes?.[0]).toBe(`m${messagesPerCallMax + 1}`);
  mailbox.drop([{ id: 'never heard of', as: 'unknown' }]);
  expect(mailbox.freight().wakes?.[0]).toBe(`m${messagesPerCallMax + 1}`);
});

test('M4 long typed messages ride one or two at a time', () => {
  const mailbox = new Mailbox();
  for (const id of ['a', 'b', 'c']) mailbox.put({ id, kind: 'say', body: { text: 'x'.repeat(16_000) } });
  expect(mailbox.freight().messages?.map(({ id }) => id)).toEqual(['a']);
});

test('M4 what a call may wait for rides before what is only heard, however much of that there is', () => {
  const mailbox = new Mailbox();
  for (const id of ['a', 'b', 'c']) mailbox.put({ id, kind: 'say', body: { text: 'x'.repeat(16_000) } });
  mailbox.put({
    id: 'word',
    kind: 'reconcile',
    body: { actionId: 'a', outcome: 'committed', by: 'ana', evidence: 'Seen.' },
  });
  mailbox.put({ id: 'stop', kind: 'cancel', body: { by: 'ana' } });
  expect(mailbox.freight().messages?.map(({ id }) => id)).toEqual(['word', 'stop', 'a']);
});

test('M4 whoever waits for an id is told once an answer names it, and how', async () => {
  const mailbox = new Mailbox();
  const [taken, refused] = [mailbox.named('a'), mailbox.named('b')];
  mailbox.drop([
    { id: 'a', as: 'taken' },
    { id: 'b', as: 'rejected', why: 'it has ended' },
  ]);
  expect(await taken).toEqual({ taken: true });
  expect(await refused).toEqual({ taken: false, why: 'it has ended' });
});

test('R2.3 a pause tells a person what it waits for, without a character that the UI reads as mathematics', async () => {
  const ledger = new FakeLedger({ think: () => proposal({ kind: 'ask' }) });
  const quick = input({ models: [{ name: 'main', quick: true, timeoutMs: 1_000 }] });
  const { run } = await decide(quick, ledger, []);
  expect(details(run)).toContain('**WAITING_FOR_USER** (waiting_for_user)');
  expect(details(run)).toContain('`holdfast say task/1 "…"`');
  expect(details(run)).not.toContain('$');
});
