// `npm run fault -- --kills N --seed S`: kills workers at random moments for as long as one likes; the suite's own run is short.
import { parseArgs } from 'node:util';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const help = `Usage: npm run fault -- [--kills N] [--seed S] [--rounds R]

Runs three attempts on real servers, kills their worker N times (default 20) with SIGKILL and starts another at once each
time, and then checks that nothing was lost and nothing done twice that was answered. The moments follow from the seed
(default: the time); R rounds (default 1) take the seeds S, S+1, …
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
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
  const jest = [inRoot('node_modules/jest/bin/jest.js'), '--selectProjects', 'process', '--verbose', '--forceExit'];
  const { code } = await run(process.execPath, [...jest, '--testPathPatterns', 'fault/killed-worker']);
  if (code !== 0) {
    process.stderr.write(
      `seed ${seed + round} failed; the same again: npm run fault -- --kills ${kills} --seed ${seed + round}\n`,
    );
    process.exit(code);
  }
}
