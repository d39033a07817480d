import { insertMessage } from '../../../src/ledger/inbox';
import { contractRule, ledgerRules, verifyLedger } from '../../../src/ledger/verify/verify-ledger';
import { type ActivityWorld, activityWorld } from '../../support/activity-world';
import { AttemptDriver } from '../../support/attempt-driver';
import { ok, tool } from '../../support/test-tools';
import { keys, writeSoundEffects } from './sound-effects';

const of = (key: string, generation = 1) => `where key = '${key}' and generation = ${generation}`;

const onManyHosts = (snapshot: string) =>
  `update attempts set workspace_host = 'one', base_commit = 'base', snapshot = '${snapshot}',
     start = jsonb_set(start, '{snapshot,hosts}', '"many"') where key = 1`;

/** How each rule can be broken by hand, as the ledger's owner. */
const breaks: Readonly<Record<string, string | readonly string[]>> = {
  'R10.1 the sequences of an attempt are 1 to n': 'delete from events where sequence = 3',
  'M7 the events of a move follow those of the moves before it, but for moves made side by side and what an answer that came late says':
    'update events set move = 1, k = 99 where attempt = 1 and sequence = (select max(sequence) from events where attempt = 1)',
  'M1 the moves of an attempt are 1 to n, but for those that are made side by side now, or were when the workflow was lost':
    'delete from moves where n = 2',
  'M1 a move has the hash of its arguments': `update moves set args_hash = '\\x00' where n = 1`,
  'M7 answers acknowledge riders in order, and the attempt has the highest': [
    `update moves set answer = answer || '{"acked":7}' where n = 1`,
    `update moves set answer = answer || '{"acked":7}'`,
  ],
  'M9 a number that has its answer has no execution': `insert into executions (attempt, n, id, worker, kind, args_hash) select 1, 1, gen_random_uuid(), id, 'think', '' from workers limit 1`,
  'R11.3 nothing of an ended attempt is alive': `insert into executions (attempt, n, id, worker, kind, args_hash) select 1, 99, gen_random_uuid(), id, 'think', '' from workers limit 1`,
  'R6.2 a try is open only while its number has an execution':
    'update tool_tries set closed_at = null where index = 0 and attempt = 1',
  'R1.3 the executions of a try are 1 to n, and all but the last are over': [
    'update tool_tries set execution = 2 where index = 0',
    `insert into model_tries (attempt, step, try, execution, model, reserved, closed_at, outcome)
     select attempt, step, try, 2, model, reserved, closed_at, outcome from model_tries where attempt = 1 and step = 1`,
  ],
  'R3.1 a proposal was answered once': `update model_tries set outcome = 'failed' where step = 1`,
  'R13.4 each action of a step that another follows was observed, and each of a completed attempt':
    'delete from observations where index = 1 and attempt = 1',
  'R13.4 each projection stands for as many steps as the one before it, or more, and for none that was not over': [
    [2, 1, 9, 0],
    [1, 2, 2, 0],
    [1, 1, 9, 5],
  ].map(
    ([ordinal, uptoStep, step, before]) =>
      `insert into projections (attempt, ordinal, n, step, upto_step, contract_version, policy, made_by, tokens_before, tokens_after, body)
       values (1, ${ordinal}, 1, ${step}, ${uptoStep}, 1, 'p', 'mechanical', 2, 1, '{}')${
         before ? `, (1, ${(ordinal ?? 0) + 1}, 1, 9, 0, 1, 'p', 'mechanical', 2, 1, '{}')` : ''
       }`,
  ),
  'E10 of an attempt of many hosts each snapshot that it works on is kept, and all that is needed to read it': [
    onManyHosts('new'),
    `${onManyHosts('kept')}; insert into workspace_bundles (tenant, snapshot, thin_on, hash, bytes) values ('default', 'kept', null, 'gone', 1)`,
    `${onManyHosts('thin')}; insert into workspace_bundles (tenant, snapshot, thin_on, hash, bytes) values ('default', 'thin', 'gone', 'there', 1);
     insert into artifacts (tenant, hash, bytes, media_type) values ('default', 'there', 1, 'application/x-git-bundle')`,
  ],
  'M8 an ended attempt has read or rejected every message': `update inbox set taken_by = null, disposition = null where id = 'said'`,
  'M4 a message was disposed of by one move, and each `say` that was taken is one input': [
    'delete from inputs where ordinal = 2',
    `update inbox set taken_by = 99 where id = 'said'`,
  ],
  'M8 an end is one event, the last but for what came too late': [
    `delete from events where type = 'ended'`,
    `update events set type = 'committed' where attempt = 1 and sequence = (select max(sequence) from events where attempt = 1);
     update events set type = 'ended' where attempt = 1 and sequence = 2`,
  ],
  'R6.2 the account is the sum of what its tries used': `update model_tries set usage = jsonb_set(usage, '{costMicroUsd}', '1')`,
  'R6.2 what is held is the sum of the reservations of open tries': `update attempts set account = jsonb_set(account, '{reservedTokens}', '5')`,
  'R6.2 a try that is over has its usage': [
    'update model_tries set usage = null where step = 1',
    'update tool_tries set outcome = null where index = 1',
  ],
  'R6.1 the turns charged are the turns there are': `update attempts set account = jsonb_set(account, '{turns}', '7')`,
  'E1 the generations of a key are 1 to n, and all but the last took no effect': [
    `update effects set generation = 3 ${of(keys.refused, 2)}`,
    `update effects set phase = 'UNKNOWN' ${of(keys.refused)}`,
  ],
  'E1 an effect is owned by an action of its tenant that is a write': [
    `update effects set index = 9 ${of(keys.open)}`,
    `update effects set tenant = 'other' ${of(keys.open)}`,
    `update effects set class = 'idempotent' ${of(keys.open)}`,
    `update effects set args_hash = '\\x00' ${of(keys.open)}`,
  ],
  'R4.1 what may have taken effect was marked SENT, and what did has its time': [
    `update effects set sent_at = null ${of(keys.committed)}`,
    `update effects set committed_at = null ${of(keys.committed)}`,
    `update effects set committed_at = now() ${of(keys.open)}`,
    `update effects set phase = 'CLAIMED' ${of(keys.open)}`,
  ],
  'R4.1 a send is a try, and SENT was marked for each': [
    `update tool_tries set sent = false where attempt = 2 and index = 3`,
    `update effects set sent_at = null ${of(keys.told)}`,
  ],
  'E4 what took no effect was never sent, or somebody proved it': [
    'update tool_tries set proven = null',
    `update effects set settled_by = 'runtime' ${of(keys.refused)}`,
    'delete from effect_evidence',
    `update effects set settled_by = null ${of(keys.refused)}`,
  ],
  'E4 nothing that somebody said took effect is recorded as none, unless the contradiction is': `update effect_evidence set body = jsonb_set(body, '{said}', '"COMMITTED"')`,
  'R4.7 what is settled says by whom, and a person, a probe and a late answer left their evidence': [
    `update effects set settled_by = null ${of(keys.committed)}`,
    `update effects set settled_by = 'probe' ${of(keys.committed)}`,
    `update effects set settled_by = 'send' ${of(keys.open)}`,
  ],
  'R4.6 an unsafe write was sent once, and a probed one again only where it could take no effect any more': [2, 3].map(
    (index) => `insert into tool_tries (attempt, step, index, try, execution, sent, closed_at, outcome)
      select attempt, step, index, 2, 1, true, closed_at, outcome from tool_tries where attempt = 2 and index = ${index}`,
  ),
  'M8 an ended attempt has no effect that is open': 'update attempts set ended_at = now() where key = 2',
  'E9 what is compensated has a compensation that took effect, and what could not be has none': [
    `update effects set phase = 'COMPENSATED' ${of(keys.committed)}`,
    `update effects set phase = 'COMPENSATION_FAILED' ${of(keys.committed)};
     update effects set key = 'compensate/default/${keys.committed}/g1', phase = 'COMMITTED' ${of(keys.open)}`,
  ],
  'E4 evidence is of an effect that there is': `update effect_evidence set generation = 9`,
  'R5.5 what was granted was approved by as many as it needs, and what was denied by one who said no': [
    `delete from approval_answers where by_name = 'ben'`,
    `update approvals set state = 'denied'`,
    `update approval_answers set answer = 'deny' where by_name = 'ben'`,
    `update approvals set state = 'open', decided_at = null`,
    'update approvals set decided_at = null',
  ],
  'R5.5 an answer that counted is of a request, and came in a message that was taken': [
    `update inbox set disposition = 'rejected' where id = 'yes-ana'`,
    'update approval_answers set ordinal = 4',
  ],
  'R5.3 the requests of an action are 1 to n, and at most the last waits': [
    'update approvals set ordinal = 2',
    `insert into approvals (attempt, step, index, ordinal, binding, rule, policy, tool, target, approvers, needed, channel, expires_at)
     select attempt, step, index, ordinal + o, binding, rule, policy, tool, target, approvers, needed, channel, expires_at
     from approvals, generate_series(1, 2) o`,
  ],
  'M8 an ended attempt waits for no approval': `update approvals set state = 'granted'; update attempts set ended_at = now() where key = 2`,
  'E8 what was sent under an approval has spent it, and one approval is spent on one effect': [
    `update approvals set state = 'granted'`,
    `update effects set approval = 5 ${of(keys.committed)}`,
    `update effects set index = 0, approval = 1 ${of(keys.open)}`,
  ],
  'R5.2 an action that a person denied was not sent': `update approvals set state = 'denied'`,
  [contractRule]: [`update contracts set body = body || '{"goal":"Another."}'`, `update contracts set hash = 'ab'`],
};
const cases = Object.entries(breaks).flatMap(([rule, ways]) =>
  [ways].flat().map((sql, way) => [rule, way + 1, sql] as const),
);

let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld(
    { steps: { 1: { calls: [{ tool: 'noop', repeat: 2, args: { n: '{index}' } }] }, 2: { text: 'Done.' } } },
    [tool({ name: 'noop', run: () => ok('') })],
  );
  const attempt = new AttemptDriver(await world.worker(), await world.attempt());
  const actions = await attempt.actions();
  await insertMessage(world.pool, attempt.ref, { id: 'said', kind: 'say', body: { text: 'Hurry.' } });
  for (const action of actions) await attempt.act(action);
  await attempt.think();
  await attempt.record({ at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 });
  await writeSoundEffects(world.pool, await world.attempt());
});
afterAll(() => world.close());

test('R12.5 a ledger that the activities wrote is sound', async () => {
  expect(await verifyLedger(world.pool)).toEqual([]);
});

test('R12.5 each rule has a way to break it', () => {
  expect(Object.keys(breaks).sort()).toEqual([...ledgerRules.map(({ rule }) => rule), contractRule].sort());
});

test.each(cases)('R12.5 a ledger that breaks it is found out: %s (way %i)', async (rule, _way, sql) => {
  const client = await world.pool.connect();
  try {
    await client.query('begin; set local role none');
    await client.query(sql);
    const found = (await verifyLedger(client)).filter((finding) => finding.rule === rule);
    expect(found).not.toEqual([]);
    for (const { where, what } of found) {
      expect(where).toMatch(/^(default|other)\//);
      expect(what.length).toBeGreaterThan(10);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a ledger that is broken everywhere is told of in few words', async () => {
  const client = await world.pool.connect();
  try {
    await client.query('begin; set local role none');
    await client.query(
      `insert into moves (attempt, n, kind, args_hash, answer) select 2, n, 'record', '\\x00', '{"acked":0}' from generate_series(3, 99) n`,
    );
    const found = (await verifyLedger(client)).filter(({ rule }) => rule === 'M1 a move has the hash of its arguments');
    expect(found).toHaveLength(20);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
