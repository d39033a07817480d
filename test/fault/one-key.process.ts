import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { type FaultWorld, faultWorld } from './support/fault-world';
import { shopToolName } from './support/shop-tools';
import { submission, submissionTranscript } from './support/submission';

const workers = 4;
const submissions = 64;
/** Rows that are written at once before the next are: a pool of connections has as many, and waits for one for seconds. */
const startsAtOnce = 16;
/** A workflow task of each of 64 attempts, four workers, and two cores that others may use as well, ms. */
const testMs = 300_000;

let world: FaultWorld;
beforeAll(async () => {
  world = await faultWorld({ transcript: submissionTranscript });
  for (let started = 0; started < workers; started += 1) await world.fleet.start();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** So many attempts at once, each of which submits the operation once, by a tool with a business key and a `prepare`. */
async function submit(operation: string, lane: 'local' | 'regular', amounts: readonly number[]) {
  const tool = shopToolName({ effect: 'deduplicated', lane, shape: 'whole' });
  const amountOf = (at: number) => amounts[at % amounts.length] ?? 0;
  const starts = Array.from({ length: submissions }, (_, at) => () => {
    return world.ask(`${operation}-${at}`, submission(tool, operation, amountOf(at)), {
      lane,
      operations: [operation],
    });
  });
  const refs = [];
  for (let from = 0; from < submissions; from += startsAtOnce)
    refs.push(...(await Promise.all(starts.slice(from, from + startsAtOnce).map((start) => start()))));

  const shown = await Promise.all(
    refs.map(async (ref, at) => {
      expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
      const [observation, ...more] = await observations(world.pool, ref);
      expect(more).toEqual([]);
      return { amount: amountOf(at), ...observation };
    }),
  );
  // A claim that a busy machine made its worker lose took no effect, and its generation is closed.
  const { rows: sent } = await world.pool.query('select phase from effects where key = $1 and sent_at is not null', [
    `${tool}/${operation}`,
  ]);
  const { rows: tries } = await world.pool.query<{ worker: string }>(
    'select distinct worker from tool_tries t join attempts a on a.key = t.attempt where a.task like $1',
    [`${operation}-%`],
  );
  return { shown, sent, tries };
}
const linesOf = (operation: string) => world.shop.lines().filter(({ args }) => args['orderId'] === operation);
const answers = (shown: readonly { ok?: boolean; text?: string }[]) =>
  new Set(shown.map(({ ok, text }) => `${ok} ${text}`));

test(
  'R16.10 64 submissions of one key at once from four processes are one effect and one row at the shop, and 63 get the same outcome',
  async () => {
    const { shown, sent, tries } = await submit('same-regular', 'regular', [40]);

    expect(linesOf('same-regular')).toHaveLength(1);
    expect(sent).toEqual([{ phase: 'COMMITTED' }]);
    expect(new Set(world.sends().filter((key) => key.includes('same-regular'))).size).toBe(1);
    expect(shown).toHaveLength(submissions);
    expect(answers(shown).size).toBe(1);
    expect(shown[0]).toMatchObject({ ok: true, text: expect.stringContaining('settled') });
    expect(tries.length).toBeGreaterThan(1);
  },
  testMs,
);

test(
  'R16.10, R4.3 64 submissions of one key with two sets of arguments are one effect, and the other set is refused',
  async () => {
    const { shown, sent } = await submit('other-local', 'local', [40, 41]);

    const [line, ...more] = linesOf('other-local');
    expect(more).toEqual([]);
    expect(sent).toEqual([{ phase: 'COMMITTED' }]);
    const won = shown.filter(({ amount }) => amount === line?.args['amount']);
    const lost = shown.filter(({ amount }) => amount !== line?.args['amount']);
    expect(won).toHaveLength(submissions / 2);
    expect(answers(won).size).toBe(1);
    expect(won[0]?.ok).toBe(true);
    expect(lost.map(({ ok, code }) => ({ ok, code }))).toEqual(lost.map(() => ({ ok: false, code: 'KEY_CONFLICT' })));
  },
  testMs,
);
