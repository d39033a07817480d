import { randomUUID } from 'node:crypto';
import { type GatewayWorld, gatewayWorld } from './support/gateway-world';
import type { Loose } from './support/read-frames';

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const pays = { 1: { calls: [transfer] }, 2: { text: 'It is paid.' } };
const rules = `rules:
  - { id: payments, when: tool == "wire_transfer", decision: require_approval, approvers: [ana, ben], approvals: 2 }
`;
const names = ['two', 'wrong', 'denied', 'keyed', 'cancelled', 'suspended', 'roles', 'bound'];
let world: GatewayWorld;
beforeAll(async () => {
  world = await gatewayWorld(
    {
      attempts: {
        ...Object.fromEntries(names.map((name) => [name, pays])),
        talks: { 1: { text: 'Hello.' }, 2: { text: 'Again.' } },
      },
    },
    rules,
  );
});
afterAll(() => world?.close());

const taskText = (task: string, more = '') =>
  `task: ${task}\nkind: dialog\ngoal: Look after the shop.\nmodel: scripted\ninput: Please.\ntools: [wire_transfer]\n${more}`;
const until = async (id: string, state: string) => {
  for (let tries = 0; tries < 200; tries += 1) {
    const { body } = await world.get(`/v1/attempts/${id}`);
    if (body.state === state) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${id} is not ${state}: ${JSON.stringify((await world.get(`/v1/attempts/${id}`)).body)}`);
};
/** Starts a task and waits until its transfer asks. */
async function asks(task: string): Promise<{ attemptId: string; actionId: string; binding: string }> {
  const started = await world.post('/v1/attempts', { task: taskText(task) });
  expect(started).toMatchObject({ status: 200, body: { outcome: 'created', taskId: task } });
  const { attemptId } = started.body;
  const { pending } = await until(attemptId, 'WAITING_FOR_APPROVAL');
  return { attemptId, actionId: pending[0].actionId, binding: pending[0].binding };
}
const sent = () => world.cli.shop.lines('wire_transfer').length;

test('R5.5 two people with tokens of their own approve, the first twice counts once, and the transfer is sent once', async () => {
  const before = sent();
  const { attemptId, ...asked } = await asks('two');
  const ana = await world.token({ principal: 'ana', roles: ['approver'] });
  const ben = await world.token({ principal: 'ben', roles: ['approver'] });
  const approve = (token: string) => world.post(`/v1/attempts/${attemptId}/approve`, asked, { token });
  expect(await approve(ana)).toMatchObject({ status: 200, body: { fate: 'taken', left: 1 } });
  expect(await approve(ana)).toMatchObject({ status: expect.any(Number) });
  expect((await world.get(`/v1/attempts/${attemptId}`)).body.state).toBe('WAITING_FOR_APPROVAL');
  expect(await approve(ben)).toMatchObject({ status: 200, body: { left: 0, outcome: expect.any(String) } });
  await until(attemptId, 'COMPLETED');
  const { events } = (await world.get(`/v1/attempts/${attemptId}/events?limit=500`)).body;
  const answers = events.filter(({ event_type }: { event_type: string }) => event_type === 'approval_answered');
  expect(answers.map(({ payload }: Loose) => [payload.by, payload.channel])).toEqual([
    ['ana', 'authenticated'],
    ['ben', 'authenticated'],
  ]);
  const { effects } = (await world.get(`/v1/attempts/${attemptId}/effects`)).body;
  expect(effects).toEqual([expect.objectContaining({ phase: 'COMMITTED' })]);
  expect(sent() - before).toBe(1);
});

test('R5.5 whoever only says a name over the command line, or is not asked, does not count', async () => {
  const { attemptId, ...asked } = await asks('wrong');
  expect((await world.cli.run('approve', attemptId, '--by', 'ana')).code).toBe(6);
  const zoe = await world.token({ principal: 'zoe', roles: ['approver'] });
  expect(await world.post(`/v1/attempts/${attemptId}/approve`, asked, { token: zoe })).toMatchObject({
    status: 403,
    body: { type: 'urn:holdfast:problem:refused_by_policy' },
  });
  expect((await world.get(`/v1/attempts/${attemptId}`)).body.pending[0].answers).toEqual([]);
});

test('an answer that was about another request than the open one changes nothing', async () => {
  const { attemptId, actionId } = await asks('bound');
  const other = await world.post(`/v1/attempts/${attemptId}/approve`, { actionId, binding: 'x'.repeat(64) });
  expect(other).toMatchObject({ status: 409, body: { type: 'urn:holdfast:problem:rejected' } });
  expect(await world.post(`/v1/attempts/${attemptId}/approve`, { actionId })).toMatchObject({ status: 400 });
});

test('a denial is told to the agent, and nothing is sent', async () => {
  const before = sent();
  const { attemptId, ...asked } = await asks('denied');
  const denied = await world.post(`/v1/attempts/${attemptId}/deny`, { ...asked, reason: 'Not to them.' });
  expect(denied).toMatchObject({ status: 200, body: { fate: 'taken' } });
  await until(attemptId, 'COMPLETED');
  expect(sent()).toBe(before);
});

test('the same POST under its key is done once and answered the same, also many at once; another is refused', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { task: taskText('keyed') };
  const first = await world.post('/v1/attempts', body, { headers });
  const again = await world.post('/v1/attempts', body, { headers });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await world.post('/v1/attempts', { task: taskText('other') }, { headers })).toMatchObject({
    status: 422,
    body: { type: 'urn:holdfast:problem:another_request' },
  });
  const { attemptId } = first.body;
  await until(attemptId, 'WAITING_FOR_APPROVAL');
  const say = { 'idempotency-key': randomUUID() };
  const all = await Promise.all(
    Array.from({ length: 8 }, () => world.post(`/v1/attempts/${attemptId}/say`, { text: 'Hurry.' }, { headers: say })),
  );
  for (const { status } of all) expect([200, 409]).toContain(status);
  expect(all.some(({ status }) => status === 200)).toBe(true);
  const { rows } = await world.cli.attempts.pool.query(
    `select count(*)::int as n from inbox i join attempts a on a.key = i.attempt where a.task = 'keyed' and i.kind = 'say'`,
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test('a conversation goes on by say, and an ended attempt takes no cancel', async () => {
  const { attemptId } = (await world.post('/v1/attempts', { task: taskText('talks') })).body;
  await until(attemptId, 'COMPLETED');
  const said = await world.post(`/v1/attempts/${attemptId}/say`, { text: 'And now?' });
  expect(said).toMatchObject({ status: 200, body: { attemptId: 'talks/2', as: 'next' } });
  await until('talks/2', 'COMPLETED');
  expect(await world.post(`/v1/attempts/${attemptId}/cancel`, {})).toMatchObject({
    status: 409,
    body: { type: 'urn:holdfast:problem:ended' },
  });
});

test('suspend, resume, fork and cancel by HTTP', async () => {
  const { attemptId } = await asks('suspended');
  expect(await world.post(`/v1/attempts/${attemptId}/suspend`, {})).toMatchObject({ status: 200 });
  await until(attemptId, 'SUSPENDED');
  const user = await world.token({ roles: ['user'] });
  const budget = { maxTurns: 40 };
  expect((await world.post(`/v1/attempts/${attemptId}/resume`, { budget }, { token: user })).status).toBe(403);
  expect(await world.post(`/v1/attempts/${attemptId}/resume`, { budget })).toMatchObject({ status: 200 });
  expect((await until(attemptId, 'WAITING_FOR_APPROVAL')).budget.limits.maxTurns).toBe(40);
  expect(await world.post(`/v1/attempts/${attemptId}/cancel`, { reason: 'Enough.' })).toMatchObject({ status: 200 });
  await until(attemptId, 'CANCELLED');
  const forked = await world.post(`/v1/attempts/${attemptId}/fork`, {});
  expect(forked).toMatchObject({ status: 200, body: { attemptId: 'suspended/2' } });
});

test('what a role may not do it may not do', async () => {
  const { attemptId, ...asked } = await asks('roles');
  const as = (role: 'user' | 'approver' | 'operator' | 'auditor') => world.token({ roles: [role] });
  const posts: [string, unknown, 'user' | 'approver' | 'operator' | 'auditor'][] = [
    ['approve', asked, 'user'],
    ['approve', asked, 'operator'],
    ['reconcile', { actionId: asked.actionId, outcome: 'committed', evidence: 'seen' }, 'user'],
    ['cancel', {}, 'auditor'],
    ['say', { text: 'x' }, 'approver'],
  ];
  for (const [act, body, role] of posts)
    expect([
      act,
      (await world.post(`/v1/attempts/${attemptId}/${act}`, body, { token: await as(role) })).status,
    ]).toEqual([act, 403]);
  expect((await world.post('/v1/attempts', { task: taskText('x') }, { token: await as('auditor') })).status).toBe(403);
});

test('a task that is wrong is refused with each place, and a folder of this machine is not taken from afar', async () => {
  expect(
    (await world.post('/v1/attempts', { task: taskText('bad', 'budget: { maxTurns: none }\n') })).body,
  ).toMatchObject({
    status: 400,
    errors: [{ at: 'body.task:7:21', why: expect.stringContaining('maxTurns') }],
  });
  const workspace = { task: taskText('local', 'workspace: { git: /etc }\n') };
  expect(await world.post('/v1/attempts', workspace)).toMatchObject({
    status: 403,
    body: { type: 'urn:holdfast:problem:not_allowed' },
  });
  expect((await world.post('/v1/attempts', '{"task":')).body).toMatchObject({ status: 400 });
  expect((await world.post('/v1/attempts', JSON.stringify({ task: 'x'.repeat(2_000_000) }))).body).toMatchObject({
    status: 413,
  });
  const object = { task: 'as-object', kind: 'dialog', goal: 'Answer.', model: 'scripted' };
  expect(await world.post('/v1/attempts', { task: object })).toMatchObject({ status: 200 });
});
