import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../../src/embedded/programs/find-program';
import { temporalCli } from '../../src/embedded/programs/server-programs';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { type CliWorld, cliWorld } from './support/cli-world';

const transfer = (amount: number) => ({ tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount } });
const note = (text: string) => ({ tool: 'set_note', args: { orderId: '1042', note: text } });
/** Asks at its first step, and for something else after: nothing of it ends by itself. */
const then = { text: 'So it is.', calls: [{ tool: 'ask_user', args: { question: 'And now?' } }] };
const answers = {
  one: { 1: { calls: [transfer(10)] }, 2: then },
  two: { 1: { calls: [transfer(500)] }, 2: then },
  mixed: { 1: { calls: [note('at once'), transfer(10), note('after')] }, 2: then },
  signed: { 1: { calls: [note('signed')] }, 2: then },
  soon: { 1: { calls: [note('soon')] }, 2: then },
  family: {
    1: { calls: [{ tool: 'delegate', args: { goal: 'Pay it.', kind: 'dialog', tools: ['wire_transfer'] } }] },
    2: then,
  },
};
type Name = keyof typeof answers;
/** Tasks of each kind: attempts of one task would know each other's effects. */
const tasksMax = 30;
const attempts: Transcript['attempts'] & object = Object.fromEntries(
  Object.entries(answers).flatMap(([name, steps]) =>
    Array.from({ length: tasksMax }, (_, index) => [`${name}-${index + 1}`, steps]),
  ),
);
/** Of what `family` delegates. */
const paid = { 1: { calls: [transfer(20)] }, 2: { text: 'It is paid.' } };
for (let index = 1; index <= tasksMax; index += 1) attempts[`family-${index}.1.s1a0`] = paid;
let tasks = 0;
const rules = `rules:
  - { id: small, when: tool == "wire_transfer" && args.amount <= 100.0, decision: require_approval, approvers: ["role:finance"], channel: asserted }
  - { id: large, when: tool == "wire_transfer", decision: require_approval, approvers: ["role:finance"], approvals: 2, channel: asserted }
  - { id: signed, when: tool == "set_note" && args.note == "signed", decision: require_approval, channel: authenticated }
  - { id: soon, when: tool == "set_note" && args.note == "soon", decision: require_approval, expiresIn: 1s }
  - { id: notes, when: tool == "set_note", decision: allow }
`;

let world: CliWorld;
beforeAll(async () => {
  world = await cliWorld({ attempts }, rules);
});
afterAll(() => world?.close());
afterEach(async () => expect(await brokenInvariants(world.attempts.pool)).toEqual([]));

/** Starts an attempt of a task of its own, and follows it to its first pause. */
const started = (name: Name) => {
  tasks += 1;
  return world.json(3, 'start', world.task(`${name}-${tasks}`, {}), '--wait', '--by', 'zoe');
};
/** One that waits for an approval; its id. */
async function waiting(name: Name): Promise<string> {
  const { attemptId, state } = await started(name);
  expect(state).toBe('WAITING_FOR_APPROVAL');
  return attemptId;
}
const show = (attempt: string) => world.json(0, 'show', attempt);
const stateOf = async (attempt: string) => (await show(attempt)).state;
const asks = (attempt: string) =>
  until(async () => (await stateOf(attempt)) === 'WAITING_FOR_USER', 'the next question');

test('R5.3 what waits is in the inbox, and the command that stands there carries it out', async () => {
  const attempt = await waiting('one');
  const inbox = await world.json<{ attemptId: string; command: string }[]>(0, 'inbox');
  const mine = inbox.find(({ attemptId }) => attemptId === attempt);
  expect(mine).toMatchObject({
    kind: 'approval',
    actionId: `${attempt}/s1.a0`,
    tool: 'wire_transfer',
    target: 'iban:DE89370400440532013000',
    rule: 'small',
    approvers: ['role:finance'],
    needed: 1,
    answers: [],
    binding: expect.stringMatching(/^[0-9a-f]{64}$/),
    command: `holdfast approve ${attempt} s1.a0 --by NAME`,
  });
  const text = (await world.run('inbox')).stdout;
  expect(text).toContain(`holdfast approve ${attempt} s1.a0 --by NAME\n`);
  expect(text).toContain('"amount":10');
  expect((await world.run('list')).stdout).toContain('approval of wire_transfer by role:finance');

  const [, ...words] = mine?.command.split(' ') ?? [];
  const approved = await world.run(...words, '--by', 'ana', '--reason', 'it is due');
  expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining(`Approved by ana: ${attempt}/s1.a0`) });
  await asks(attempt);
  expect(
    world.shop.lines('wire_transfer').filter(({ args }) => String(args['reference']).includes(attempt)),
  ).toHaveLength(1);
  expect(await world.json(0, 'effects', attempt)).toEqual([
    {
      actionId: `${attempt}/s1.a0`,
      tool: 'wire_transfer',
      target: 'iban:DE89370400440532013000',
      key: `default/${attempt}/s1.a0/g1`,
      argsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      phase: 'COMMITTED',
      tries: 1,
      sentAt: expect.stringMatching(/Z$/),
      committedAt: expect.stringMatching(/Z$/),
      downstreamId: expect.any(String),
      authorization: { rule: 'small', policy: expect.stringMatching(/^[0-9a-f]{16}$/), approvedBy: ['ana'] },
      unknown: null,
      evidence: [],
    },
  ]);
  expect((await world.run('effects', attempt)).stdout).toMatch(/COMMITTED\t1\t.*\tsmall: ana\t/);
});

test('R15.1 R5.3 what a child asks for is answered at its root, by the command that the inbox has, and goes on in the child', async () => {
  tasks += 1;
  const root = await world.json(
    0,
    'start',
    world.task(`family-${tasks}`, { tools: ['delegate', 'wire_transfer'] }),
    '--by',
    'zoe',
  );
  const child = `family-${tasks}.1.s1a0/1`;
  type Inbox = readonly { attemptId: string; command: string }[];
  const asked = async () => (await world.json<Inbox>(0, 'inbox')).find(({ attemptId }) => attemptId === child);
  await until(async () => (await asked()) !== undefined, 'the child asks');
  expect((await show(root.attemptId)).pending).toMatchObject([{ kind: 'approval', actionId: `${child}/s1.a0` }]);
  const approved = await world.run('approve', root.attemptId, '--by', 'ana');
  expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining(`Approved by ana: ${child}/s1.a0`) });
  await asks(root.attemptId);
  expect(
    world.shop.lines('wire_transfer').filter(({ args }) => String(args['reference']).includes(child)),
  ).toHaveLength(1);
  expect(await stateOf(child)).toBe('COMPLETED');
});

test('R5.2 a denial is told to the agent, and nothing is sent', async () => {
  const attempt = await waiting('one');
  const before = world.shop.lines('wire_transfer').length;
  const denied = await world.json(0, 'deny', attempt, '--by', 'ben', '--reason', 'ask the carrier first');
  expect(denied).toMatchObject({
    attemptId: attempt,
    actionId: `${attempt}/s1.a0`,
    answer: 'deny',
    fate: 'taken',
    left: 0,
  });
  await asks(attempt);
  expect(world.shop.lines('wire_transfer')).toHaveLength(before);
  expect(await world.json(0, 'effects', attempt)).toEqual([]);
  const refused = [
    {
      actionId: `${attempt}/s1.a0`,
      tool: 'wire_transfer',
      args: expect.stringContaining('"amount":10'),
      code: 'APPROVAL_DENIED',
      rule: 'small',
      policy: expect.stringMatching(/^[0-9a-f]{16}$/),
      by: 'ben',
      reason: 'ask the carrier first',
      told: expect.stringContaining('ben said no: ask the carrier first'),
      at: expect.stringMatching(/Z$/),
    },
  ];
  expect(await world.json(0, 'effects', attempt, '--refused')).toEqual(refused);
  expect(await world.json(0, 'show', attempt)).toMatchObject({ refused });
  expect((await world.run('effects', attempt)).stdout).toContain('ben said no: ask the carrier first');
  const watched = await world.json(0, 'policy', 'explain', attempt, 's1.a0');
  expect(watched).toMatchObject({
    decision: { kind: 'require_approval', rule: 'small' },
    facts: { principal: 'zoe', target: 'iban:DE89370400440532013000', args: { amount: 10 } },
    decided: { rule: 'small' },
  });
});

test('R5.4 a batch waits where it is asked; what came before is done, and what comes after is not', async () => {
  const attempt = await waiting('mixed');
  expect(
    (await world.json<Record<string, string>[]>(0, 'effects', attempt)).map(({ actionId, phase }) => [actionId, phase]),
  ).toEqual([[`${attempt}/s1.a0`, 'COMMITTED']]);
  expect((await show(attempt)).pending).toEqual([
    expect.objectContaining({ kind: 'approval', actionId: `${attempt}/s1.a1` }),
  ]);
  await world.json(0, 'approve', attempt, `${attempt}/s1.a1`, '--by', 'ana');
  await asks(attempt);
  expect(await world.json(0, 'effects', attempt)).toHaveLength(3);
});

test.each([
  ['another binding', ['--by', 'ana', '--binding', 'f'.repeat(64)], 2, 'asks under another binding'],
  ['somebody whom policy does not name', ['--by', 'cem'], 6, 'Policy asks role:finance, and cem is none of these'],
  ['somebody whom nobody knows', ['--by', 'mallory'], 6, 'Configuration names nobody as mallory'],
])('R5.5 an approval by %s changes nothing, and says why', async (_what, options, code, why) => {
  const attempt = await waiting('one');
  const ran = await world.run('approve', attempt, 's1.a0', ...options);
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(why) });
  expect(ran.stderr).toContain(`holdfast show ${attempt}`);
  expect(await stateOf(attempt)).toBe('WAITING_FOR_APPROVAL');
  expect(await world.attempts.events(await refOf(attempt))).toContainEqual(
    expect.objectContaining({ type: 'message_rejected', payload: expect.objectContaining({ kind: 'approve' }) }),
  );
});

test('R5.5 whoever says no name is told under which one it came, and how to say another', async () => {
  const attempt = await waiting('one');
  const ran = await world.run('approve', attempt, 's1.a0');
  expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining('`--by NAME` says who you are') });
});

test('R5.3 an action that asks for nothing, and one that is none, are told so', async () => {
  const attempt = await waiting('one');
  expect(await world.run('approve', attempt, 's7.a0', '--by', 'ana')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${attempt}/s7.a0 asks for no approval; "holdfast inbox" lists what does`),
  });
  expect(await world.run('approve', attempt, 'first', '--by', 'ana')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`"first" is no action of ${attempt}`),
  });
});

test('R5.3 an approval after the expiry changes nothing', async () => {
  const { attemptId: attempt } = await started('soon');
  await asks(attempt);
  expect(await world.run('approve', attempt, 's1.a0', '--by', 'ana')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has expired. If it is still wanted, ask the agent to try again'),
  });
  expect(await world.run('approve', attempt, '--by', 'ana')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`No action of ${attempt} waits for an approval`),
  });
  expect(world.shop.lines('set_note').filter(({ args }) => args['note'] === 'soon')).toEqual([]);
  expect(await world.json(0, 'effects', attempt, '--refused')).toMatchObject([
    { actionId: `${attempt}/s1.a0`, code: 'APPROVAL_EXPIRED', rule: 'soon', by: null },
  ]);
});

test('R5.3 an approval after a cancel changes nothing', async () => {
  const attempt = await waiting('one');
  expect((await world.json(4, 'cancel', attempt, '--wait')).pending).toEqual([]);
  expect(await world.json(0, 'effects', attempt, '--refused')).toMatchObject([
    { actionId: `${attempt}/s1.a0`, code: 'APPROVAL_VOIDED', rule: 'small', by: null },
  ]);
  expect(await world.run('approve', attempt, 's1.a0', '--by', 'ana')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${attempt} has ended: CANCELLED`),
  });
});

test('R5.5 two people are two people: one person twice is refused, and the second lets it happen', async () => {
  const attempt = await waiting('two');
  const first = await world.run('approve', attempt, '--by', 'ana');
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 more approval needed, of role:finance other than ana'),
  });
  expect((await show(attempt)).pending[0]).toMatchObject({ needed: 2, answers: [{ by: 'ana', answer: 'approve' }] });

  expect(await world.run('approve', attempt, '--by', 'ana')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('ana has answered this request already. Another person has to answer.'),
  });
  expect(await stateOf(attempt)).toBe('WAITING_FOR_APPROVAL');
  expect(await world.json(0, 'approve', attempt, '--by', 'ben')).toMatchObject({ left: 0 });
  await asks(attempt);
  expect((await world.json<object[]>(0, 'effects', attempt))[0]).toMatchObject({
    authorization: { approvedBy: ['ana', 'ben'] },
  });
});

test('R5.3 a second approval of what was approved is told what came of it', async () => {
  const attempt = await waiting('one');
  await world.json(0, 'approve', attempt, '--by', 'ana');
  await asks(attempt);
  expect(await world.run('approve', attempt, 's1.a0', '--by', 'ben')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('was approved and has been carried out. "holdfast effects" shows what came of it.'),
  });
});

test('R5.5 where a rule wants a signed-in answer, the command line is told to use the gateway', async () => {
  const attempt = await waiting('signed');
  expect((await world.run('show', attempt)).stdout).toContain('signed in at the gateway');
  expect(await world.run('approve', attempt, '--by', 'ana')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('answer through the gateway'),
  });
});

test('R5.3 Temporal’s own command line approves, by signal and by update, with the JSON that a person types', async () => {
  const { path } = await findProgram(temporalCli, { onProgress: () => {} });
  const { temporalAddress, namespace } = world.attempts.ways;
  const temporal = async (attempt: string, verb: string[], input: object) => {
    const where = [
      '--address',
      temporalAddress,
      '--namespace',
      namespace,
      '--workflow-id',
      `attempt/default/${attempt}`,
    ];
    const ran = await promisify(execFile)(path, [
      'workflow',
      ...verb,
      ...where,
      '--name',
      'approve',
      '--input',
      JSON.stringify(input),
    ]);
    return ran.stdout;
  };
  const signalled = await waiting('one');
  await temporal(signalled, ['signal'], { actionId: `${signalled}/s1.a0`, by: 'ana' });
  await asks(signalled);

  const updated = await waiting('two');
  const binding = (await show(updated)).pending[0]?.binding;
  const update = (by: string) => temporal(updated, ['update', 'execute', '--output', 'json'], { binding, by });
  expect(await update('cem')).toMatch(/"taken": *false[\s\S]*Policy asks role:finance/);
  expect(await update('ana')).toMatch(/"taken": *true/);
  expect(await update('ben')).toMatch(/"taken": *true/);
  await asks(updated);
  for (const attempt of [signalled, updated]) {
    expect((await world.json<object[]>(0, 'effects', attempt))[0]).toMatchObject({ phase: 'COMMITTED' });
  }
});

test('R4.9 an approval of what was revoked meanwhile says that it is not carried out, and why', async () => {
  const attempt = await waiting('one');
  const id = `${attempt}/s1.a0`;
  await world.json(0, 'revoke', '--approval', id, '--reason', 'not this one', '--by', 'ben');
  const ran = await world.run('approve', attempt, '--by', 'ana');
  expect(ran.stdout).toContain(`It is not carried out: the approval ${id} was revoked by ben (not this one)`);
  await asks(attempt);
  expect(await world.json(0, 'effects', attempt, '--refused')).toMatchObject([
    { actionId: id, code: 'REVOKED', told: expect.stringContaining('not this one') },
  ]);
});

test('R5.3 an approval that the policy in force has made void says so, and how it is asked for now', async () => {
  const attempt = await waiting('one');
  const wait = await waiting('one');
  world.changePolicy(rules.replace('"role:finance"', '"role:finance", "cem"'));
  try {
    const ran = await world.run('approve', attempt, '--by', 'ana');
    expect(ran).toMatchObject({ code: 3, stderr: '' });
    expect(ran.stdout).toMatch(/But that is void: policy is [0-9a-f]{16}, and was [0-9a-f]{16}.*It is asked for again/);
    expect(ran.stdout).toContain(`\`holdfast approve ${attempt} s1.a0 --by NAME\``);
    expect(await world.json(0, 'effects', attempt)).toEqual([]);

    const waited = await world.json(3, 'approve', wait, '--by', 'ana', '--wait');
    expect(waited).toMatchObject({ outcome: 'void', fate: 'taken', state: 'WAITING_FOR_APPROVAL' });
    const again = await world.json(3, 'approve', wait, '--by', 'ana', '--wait');
    expect(again).toMatchObject({ outcome: 'carried_out', state: 'WAITING_FOR_USER' });
    expect((await world.run('approve', attempt, '--by', 'ben')).stdout).toContain('It is carried out.');
  } finally {
    world.changePolicy(rules);
  }
});

async function refOf(attempt: string) {
  const [task, number] = attempt.split('/');
  const { rows } = await world.attempts.pool.query('select key from attempts where task = $1 and number = $2', [
    task,
    number,
  ]);
  return { tenant: 'default', id: attempt, key: Number(rows[0].key) };
}
