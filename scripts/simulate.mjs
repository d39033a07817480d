// `npm run simulate -- --seeds N [--from S]`: attempts under schedules that follow from a seed, in virtual time.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const help = `Usage: npm run simulate -- [--seeds N] [--from S] [--jobs J]
       npm run simulate -- --seed S

Runs the real workflow and activity code over a ledger in memory, under a scheduler that loses, stops, kills, delays and
revokes as a seed has it, and checks what must hold however that went: no operation takes effect twice, every decision is
made once, money adds up, nothing waits for ever. N seeds (default 2000) from S (default 1) on J processes (default: one a
core). A failing seed is printed with its schedule, made as small as it goes; --seed S runs one alone.
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [seeds, from, jobs] = [values.seeds, values.from, values.jobs].map(Number);
const seedIsWrong = values.seed !== undefined && !Number.isInteger(Number(values.seed));
if (values.help || seedIsWrong || ![seeds, from, jobs].every((n) => Number.isInteger(n) && n >= 0) || jobs < 1) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 2);
}

const program = ['-r', inRoot('test/support/register-swc.cjs'), inRoot('test/simulation/main.ts')];
const start = async (args) => (await run(process.execPath, [...program, ...args])).code;
if (values.seed !== undefined) process.exit(await start(['--seed', values.seed]));

const share = Math.ceil(seeds / jobs);
const codes = await Promise.all(
  Array.from({ length: jobs }, (_, job) => {
    const count = Math.min(share, seeds - job * share);
    return count > 0 ? start(['--from', String(from + job * share), '--seeds', String(count)]) : 0;
  }),
);
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
