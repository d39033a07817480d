// `npm run fault -- --kills N --seed S`: workers are killed and stopped at every point of a write for as long as one likes; the suite's own run is short.
import { parseArgs } from 'node:util';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const help = `Usage: npm run fault -- [--kills N] [--seed S] [--rounds R]

Runs attempts that write to a real shop, on real servers, and deals their workers N blows (default 48): SIGKILL, or SIGSTOP
for 7 seconds, at each named point of a write in turn and at random moments, over all four effect classes, both lanes and
all faults of the shop. Then the shop's journal is counted and compared with the ledger, row by row. Prints each blow and a
table. What is not left to the machine's timing follows from the seed (default: the time); R rounds (default 1) take the
seeds S, S+1, … A failing run prints its seed, the point, the attempt and the logs of both sides.
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '48' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [kills, seed, rounds] = [values.kills, values.seed, values.rounds].map(Number);
if (values.help || ![kills, seed, rounds].every(Number.isInteger) || kills < 1 || rounds < 1) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 2);
}

for (let round = 0; round < rounds; round += 1) {
  process.env.HOLDFAST_FAULT_KILLS = String(kills);
  process.env.HOLDFAST_FAULT_SEED = String(seed + round);
  process.env.HOLDFAST_FAULT_SHOW = 'yes';
  const jest = [inRoot('node_modules/jest/bin/jest.js'), '--selectProjects', 'process', '--forceExit'];
  const { code } = await run(process.execPath, [...jest, '--testPathPatterns', 'fault/kill-points']);
  if (code !== 0) {
    process.stderr.write(
      `seed ${seed + round} failed; the same again: npm run fault -- --kills ${kills} --seed ${seed + round}\n`,
    );
    process.exit(code);
  }
}
