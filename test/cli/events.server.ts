import { setTimeout as sleep } from 'node:timers/promises';
import { insertMessage } from '../../src/ledger/inbox';
import { createPreviews } from '../../src/ledger/previews/send-previews';
import { findAttempt } from '../../src/ledger/queries/find-attempt';
import { type CliWorld, cliWorld } from './support/cli-world';

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const rules = `rules:
  - { id: payments, when: tool == "wire_transfer", decision: require_approval, channel: asserted }
`;
let world: CliWorld;
beforeAll(async () => {
  world = await cliWorld({ attempts: { pays: { 1: { calls: [transfer] }, 2: { text: 'It is paid.' } } } }, rules);
});
afterAll(() => world?.close());

test('R10.4 events are shown as each audience sees them, and from a cursor on', async () => {
  const { attemptId } = await world.json(3, 'start', world.task('pays', {}), '--wait', '--by', 'zoe');
  expect((await world.run('approve', attemptId, '--by', 'ana', '--wait')).code).toBe(0);
  const seen = async (...options: string[]) => {
    const { stdout } = await world.run('events', attemptId, '--json', ...options);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event_type: string; sequence: number; payload: object });
  };
  const of = async (type: string, audience: string) =>
    (await seen('--audience', audience))
      .filter(({ event_type }) => event_type === type)
      .map(({ payload }) => Object.keys(payload));

  expect(await of('approval_requested', 'user')).toEqual(
    [['index', 'tool', 'binding', 'needed', 'expiresAt'].sort()].map((names) => expect.arrayContaining(names)),
  );
  expect((await of('approval_requested', 'user')).flat()).not.toContain('rule');
  expect((await of('approval_requested', 'operator')).flat()).toContain('rule');
  expect(await of('approval_answered', 'model')).toEqual([]);
  expect((await of('action_finished', 'model')).flat()).toContain('tool');

  const all = await seen();
  const cursor = all[2]?.sequence ?? 0;
  expect(await seen('--from', String(cursor))).toEqual(all.slice(3));
  const nothing = await world.run('events', attemptId, '--audience', 'model', '--from', '100000');
  expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no event after 100000') });
});

test('R10.2 who watches with previews is shown words as they come, told apart from events, and others are not', async () => {
  const { attemptId } = await world.json(3, 'start', world.task('watched', {}), '--wait');
  const { pool } = world.attempts;
  const found = await findAttempt(pool, 'default', attemptId);
  if (found.kind !== 'found') throw new Error(`no attempt ${attemptId}`);
  const { ref } = found;
  const lines = async (...options: string[]) => {
    const ran = await world.run('watch', attemptId, '--json', ...options);
    return ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { durability: string; text?: string; sequence?: number });
  };
  let over = false;
  const talking = (async () => {
    const stream = createPreviews(pool)(ref, { step: 2, try: 1, execution: 1 });
    for (let times = 0; !over; times += 1) {
      stream.show('word ');
      if (times === 20) await insertMessage(pool, ref, { id: 'enough', kind: 'cancel', body: { by: 'ana' } });
      await sleep(50);
    }
  })();

  const shown = await lines('--previews');
  over = true;
  await talking;

  const previews = shown.filter(({ durability }) => durability === 'preview');
  expect(previews.length).toBeGreaterThan(0);
  expect(previews.every(({ text, sequence }) => /^(word )+$/.test(text ?? '') && sequence === undefined)).toBe(true);
  expect(shown.filter(({ durability }) => durability === 'persisted')).toEqual(await lines());
  expect(await world.run('watch', attemptId, '--previews')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`holdfast watch ${attemptId} --json --previews`),
  });
});
