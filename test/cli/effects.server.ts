import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { type CliWorld, cliWorld } from './support/cli-world';

const mail = (to: string) => ({ tool: 'send_email', args: { to, subject: 'Your order', text: 'It is on its way.' } });
const refund = (orderId: string) => ({ tool: 'create_refund', args: { orderId, amount: 40 } });
const asking = { text: 'So it is.', calls: [{ tool: 'ask_user', args: { question: 'And now?' } }] };
const done = { text: 'So it is.' };
const attempts = {
  mail: { 1: { calls: [mail('ada@shop.invalid')] }, 2: asking },
  mailed: { 1: { calls: [mail('bea@shop.invalid')] }, 2: done },
  refund: { 1: { calls: [refund('1042')] }, 2: done },
  late: { 1: { calls: [refund('7001')] }, 2: done },
  note: { 1: { calls: [{ tool: 'set_note', args: { orderId: '1042', note: 'x' } }] }, 2: done },
  revoked: { 1: { calls: [mail('cem@shop.invalid')] }, 2: done },
};
const rules = `rules:
  - { id: no-taking-back, when: tool == "reverse_refund" && principal == "cem", decision: deny, reason: cem may not }
  - { id: everything, decision: allow }
`;

let world: CliWorld;
beforeAll(async () => {
  world = await cliWorld({ attempts }, rules);
});
afterAll(() => world?.close());
afterEach(async () => expect(await brokenInvariants(world.attempts.pool)).toEqual([]));

const start = (name: keyof typeof attempts, code: number) =>
  world.json(code, 'start', world.task(name, {}), '--new', '--wait');
const loseAnswer = (operation: string) => world.shop.ask('POST', '/faults', { fault: 'commit_then_drop', operation });
const phases = async (attempt: string) =>
  (await world.json<{ phase: string }[]>(0, 'effects', attempt)).map(({ phase }) => phase);

describe('an effect that nobody can tell of', () => {
  let attempt: string;
  beforeAll(async () => {
    await loseAnswer('send_email');
    const shown = await start('mail', 3);
    expect(shown).toMatchObject({ state: 'RECONCILING', reason: 'reconcile_required' });
    attempt = shown.attemptId;
  });

  test('R4.7 is in the inbox, with where to look and both words', async () => {
    expect(await world.json(0, 'inbox')).toContainEqual(
      expect.objectContaining({
        kind: 'reconcile',
        attemptId: attempt,
        actionId: `${attempt}/s1.a0`,
        asked: true,
        effectClass: 'unsafe',
        command: `holdfast reconcile ${attempt} s1.a0 --committed --by NAME --evidence "what you saw"`,
      }),
    );
    expect((await world.run('list')).stdout).toContain('somebody to say whether send_email happened');
    const cause = { code: 'SEND_FAILED', detail: expect.stringMatching(/./), at: expect.stringMatching(/Z$/) };
    expect(await world.json(0, 'show', attempt)).toMatchObject({ pending: [{ cause }] });
    expect(await world.json(0, 'effects', attempt)).toMatchObject([{ phase: 'UNKNOWN', unknown: cause, evidence: [] }]);
    expect((await world.run('inbox')).stdout).toMatch(/nobody could tell at \S+Z: SEND_FAILED: \S/);
  });

  test.each([
    [['--committed'], 'needs evidence'],
    [['--committed', '--evidence', '  '], 'needs evidence'],
    [['--evidence', 'I looked'], 'Say what happened'],
    [['--committed', '--not-committed', '--evidence', 'I looked'], 'either happened or it did not'],
  ])('R4.7 a word with %j is none', async (options, expected) => {
    expect(await world.run('reconcile', attempt, 's1.a0', ...options)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(expected),
    });
  });

  test('E6 "not committed" is refused as long as what was sent may be under way, and says until when', async () => {
    const ran = await world.run('reconcile', attempt, '--not-committed', '--evidence', 'no mail there', '--by', 'ana');
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/may still be under way; say so again after \d{4}-/),
    });
    expect(await phases(attempt)).toEqual(['UNKNOWN']);
  });

  test('R5.5 the word of somebody whom configuration does not name changes nothing, and says who may speak', async () => {
    const ran = await world.run('reconcile', attempt, '--committed', '--evidence', 'trust me', '--by', 'mallory');
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'The reconcile changed nothing. Configuration names nobody as mallory; add them under "principals", or answer as somebody',
      ),
    });
    expect(await phases(attempt)).toEqual(['UNKNOWN']);
  });

  test('R4.7 "committed" with evidence settles it, and the attempt goes on; another word is told so', async () => {
    const evidence = "mail-1 in the shop's log";
    const said = await world.run('reconcile', attempt, '--committed', '--evidence', evidence, '--by', 'ana');
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining(`${attempt}/s1.a0: it happened, by ana`) });
    await until(async () => (await world.json(0, 'show', attempt)).state === 'WAITING_FOR_USER', 'the next question');
    expect(await phases(attempt)).toEqual(['COMMITTED']);
    expect(world.shop.lines('send_email')).toHaveLength(1);
    const word = { kind: 'person', by: 'ana', channel: 'asserted', said: 'COMMITTED', evidence };
    expect(await world.json(0, 'effects', attempt)).toEqual([
      expect.objectContaining({ evidence: [{ ...word, at: expect.stringMatching(/Z$/) }] }),
    ]);
    expect((await world.run('effects', attempt)).stdout).toMatch(/ana \(asserted\) said COMMITTED at \S+Z: “mail-1 in/);

    const again = await world.run(
      'reconcile',
      attempt,
      's1.a0',
      '--not-committed',
      '--evidence',
      'I looked again',
      '--by',
      'ana',
    );
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is settled already: it took effect') });
    expect(again.stderr).toContain('kept as a contradiction');
    expect(await world.run('reconcile', attempt, '--committed', '--evidence', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`No action of ${attempt} has an effect that is unknown`),
    });
  });
});

describe('undoing', () => {
  let attempt: string;
  beforeAll(async () => {
    ({ attemptId: attempt } = await start('refund', 0));
  });

  test('R4.8 a compensation that policy denies fails, and the effect stands', async () => {
    const failed = await world.json(1, 'compensate', attempt, 's1.a0', '--by', 'cem', '--wait');
    expect(failed).toMatchObject({
      state: 'FAILED',
      attemptId: expect.stringMatching(/^compensate\.[0-9a-f]{16}\/1$/),
    });
    expect(world.shop.lines('reverse_refund')).toEqual([]);
  });

  test('R4.8 compensate undoes a committed effect once, by an attempt of its own', async () => {
    const undone = await world.json<{ attemptId: string; state: string; outcome: string; compensates: string }>(
      0,
      'compensate',
      attempt,
      '--wait',
    );
    expect(undone).toMatchObject({ state: 'COMPLETED', outcome: 'created', compensates: `${attempt}/s1.a0` });
    expect(world.shop.lines('reverse_refund')).toHaveLength(1);
    expect(await phases(attempt)).toEqual(['COMPENSATED']);
    expect((await world.json<{ key: string }[]>(0, 'effects', undone.attemptId))[0]?.key).toMatch(
      /^default\/compensate\/default\/create_refund\/1042\/g1\/g1$/,
    );

    const again = await world.run('compensate', attempt, 's1.a0');
    expect(again).toMatchObject({ code: 0, stdout: `${undone.attemptId} has undone ${attempt}/s1.a0 before.\n` });
    expect(world.shop.lines('reverse_refund')).toHaveLength(1);
  });

  test.each([
    ['s9.a0', [], 'has done nothing outside'],
    ['first', [], 'is no action of'],
    [undefined, [], 'has a committed effect'],
  ])('R4.8 compensating %s is refused', async (action, options, expected) => {
    const ran = await world.run('compensate', attempt, ...(action === undefined ? [] : [action]), ...options);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) });
  });

  test('R4.8 what declares no compensation, and arguments that its compensation does not take, are refused', async () => {
    const { attemptId: noted } = await start('note', 0);
    expect(await world.run('compensate', noted, 's1.a0')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('set_note declares no compensation'),
    });
    for (const args of ['{"refund":1}', '[]', 'no json']) {
      const ran = await world.run('compensate', attempt, 's1.a0', '--args', args);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--args') });
    }
  });
});

describe('revoking', () => {
  test('R4.9 revoke --list says nothing where nothing is revoked', async () => {
    expect((await world.run('revoke', '--list')).stdout).toBe('');
  });

  test.each([
    [[], 'Nothing is named to revoke'],
    [['--tool', 'send_email', '--target', 'x'], 'One thing is revoked at a time'],
    [['--tool', 'send_email'], 'needs a reason'],
    [['--approval', 's1.a0', '--reason', 'x'], 'names no approval'],
    [['--tool', ' ', '--reason', 'x'], '--tool names nothing'],
  ])('R4.9 revoke %j is told what is missing', async (options, expected) => {
    expect(await world.run('revoke', ...options)).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) });
  });

  test.each([
    ['--tool', 'send_emial', 'has to do with the tool "send_emial" so far. Did you mean "send_email"?'],
    ['--principal', 'anna', 'Did you mean "ana"?'],
    ['--target', 'order:none', 'has to do with the target "order:none" so far.'],
    ['--approval', 'nothing/1/s1.a0', 'has to do with the approval'],
    ['--credential', 'bank', 'has to do with the credential "bank" so far.'],
  ])('R4.9 revoke %s %s is stored, with a warning that nothing has it', async (option, value, words) => {
    const ran = await world.run('revoke', option, value, '--reason', 'a slip');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`${value}, by `) });
    expect(ran.stderr).toContain(words);
  });

  test('R4.9 revoking what there is warns of nothing', async () => {
    expect(await world.run('revoke', '--principal', 'cem', '--reason', 'left')).toMatchObject({ code: 0, stderr: '' });
  });

  test('R4.9 what is revoked is not sent any more', async () => {
    const before = await world.json<object[]>(0, 'revoke', '--list');
    const revoked = await world.json(
      0,
      'revoke',
      '--target',
      'mail:cem@shop.invalid',
      '--reason',
      'moved',
      '--by',
      'ana',
    );
    const row = { kind: 'target', value: 'mail:cem@shop.invalid', reason: 'moved', by: 'ana' };
    expect(revoked).toEqual({ tenant: 'default', ...row });
    expect(await world.json(0, 'revoke', '--list')).toEqual([...before, { ...row, at: expect.stringMatching(/Z$/) }]);

    const { attemptId } = await start('revoked', 0);
    expect(await phases(attemptId)).toEqual([]);
    expect(world.shop.lines('send_email').filter(({ args }) => args['to'] === 'cem@shop.invalid')).toEqual([]);
    expect((await world.run('watch', attemptId)).stdout).toContain('send_email: REVOKED');
    expect((await world.run('show', attemptId)).stdout).toMatch(
      /refused +send_email .*REVOKED by rule everything .*mail:cem@shop\.invalid was revoked by ana: moved/,
    );
  });
});

test('R11.2 a cancel that comes while an effect is under way says in words that it had been committed', async () => {
  await world.shop.ask('PUT', '/orders/7001', { customer: 'Dot', email: 'dot@shop.invalid', paid: 40 });
  await world.shop.ask('POST', '/faults', {
    fault: 'commit_then_hang',
    operation: 'create_refund',
    where: { orderId: '7001' },
  });
  const { attemptId } = await world.json(0, 'start', world.task('late', {}));
  await until(() => world.shop.lines('create_refund').some(({ args }) => args['orderId'] === '7001'), 'the refund');
  await world.json(0, 'cancel', attemptId);
  await world.shop.ask('POST', '/faults/release');
  const watched = await world.run('watch', attemptId);
  const words = /the cancel came \(at \S+Z\), but create_refund 7001 had already been committed at \S+Z/;
  expect(watched).toMatchObject({ code: 4, stdout: expect.stringMatching(words) });
  expect((await world.run('show', attemptId)).stdout).toMatch(words);
  expect(await world.json(0, 'show', attemptId)).toMatchObject({
    state: 'CANCELLED',
    reason: 'cancelled_effect_committed',
    cancel: { committed: [{ action: `${attemptId}/s1.a0` }] },
  });
});

test('R4.7 a cancel that an unknown effect holds open waits for a person, and says so', async () => {
  await loseAnswer('send_email');
  const { attemptId } = await start('mailed', 3);
  const held = await world.json(3, 'cancel', attemptId, '--wait');
  expect(held).toMatchObject({ state: 'CANCELLING', pending: [{ kind: 'reconcile' }] });
  await world.json(0, 'reconcile', attemptId, '--committed', '--evidence', 'it is in the log', '--by', 'ana');
  expect((await world.run('watch', attemptId)).code).toBe(4);
});

test('R4.2 verify-ledger finds what no transaction writes', async () => {
  const { pool } = world.attempts;
  expect(await world.run('verify-ledger')).toMatchObject({ code: 0, stdout: expect.stringContaining('holds') });
  const { rows } = await pool.query('select task, number, sequence from attempts order by key limit 1');
  const [{ task, number, sequence }] = rows;
  const setSequence = (to: number) =>
    pool.query('update attempts set sequence = $3 where task = $1 and number = $2', [task, number, to]);
  await setSequence(sequence + 1);
  try {
    expect(await world.json<object>(1, 'verify-ledger')).toMatchObject({
      ok: false,
      findings: [{ where: `default/${task}/${number}`, rule: expect.any(String), what: expect.any(String) }],
    });
    expect((await world.run('verify-ledger')).stdout).toContain(`✗ default/${task}/${number}`);
  } finally {
    await setSequence(sequence);
  }
});
