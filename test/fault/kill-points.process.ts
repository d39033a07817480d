import { type FaultWorld, faultWorld } from './support/fault-world';
import { killRun } from './support/kill-run';
import { planRounds } from './support/plan';
import { progressLine, reportTable } from './support/report';

/** `npm run fault -- --kills N --seed S` sets all three. */
const kills = Number(process.env['HOLDFAST_FAULT_KILLS'] ?? 24);
const seed = Number(process.env['HOLDFAST_FAULT_SEED'] ?? 1);
const shown = process.env['HOLDFAST_FAULT_SHOW'] !== undefined;
/** Also where a blow costs the longest recovery, ms. */
const testMs = 180_000 + kills * 20_000;

const show = (text: string) => void (shown && process.stderr.write(`${text}\n`));

let world: FaultWorld;
beforeAll(async () => {
  world = await faultWorld({ asks: ['unsafe_regular_whole'] });
});
afterAll(() => world.close());

test(
  `R4.5, R4.6, R4.10 workers killed and stopped ${kills} times at every point of a write (seed ${seed}): each operation took effect once at the shop, and the ledger says the same`,
  async () => {
    const run = await killRun(world, planRounds(kills, seed), (blow) => show(progressLine(blow, kills))).catch(
      (error: unknown) => {
        throw new Error(`seed ${seed}, ${error instanceof Error ? error.message : String(error)}`);
      },
    );
    show(`\n${reportTable(run, seed)}\n`);
    expect(run.blows).toHaveLength(kills);
    expect(run.wrong).toEqual([]);
  },
  testMs,
);
