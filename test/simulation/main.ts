import { parseArgs } from 'node:util';
import { describeReport } from './run/describe-report';
import { explain, sweep } from './run/find-failure';
import { planOf } from './run/plan';
import { simulate } from './run/simulation';

/** Lines of progress come this often, in schedules. */
const progressEvery = 500;
/** Failing schedules that are shrunk and told whole; of the rest the seeds are enough. */
const explainedMax = 3;

/** Run by scripts/simulate.mjs: one seed with its trace, or many. By tests with `--reached`: what the schedules came to is then the last line, as JSON. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      reached: { type: 'boolean', default: false },
    },
  });
  if (values.seed !== undefined) return await one(Number(values.seed));
  return await many(Number(values.from), Number(values.seeds), values.reached);
}

async function one(seed: number): Promise<number> {
  const report = await simulate(planOf(seed), true);
  console.log(report.violations.length === 0 ? describeReport(report) : await explain(report));
  console.log(report.violations.length === 0 ? `seed ${seed} holds` : `seed ${seed} failed`);
  return report.violations.length === 0 ? 0 : 1;
}

async function many(from: number, seeds: number, tellReached: boolean): Promise<number> {
  let done = 0;
  let bad = 0;
  const { failed, steps, redecisions, reached } = await sweep(from, seeds, ({ violations }) => {
    done += 1;
    if (violations.length > 0) bad += 1;
    if (done % progressEvery === 0) console.log(`seeds ${from}–${from + done - 1}: ${bad} failed`);
  });
  for (const { seed, report } of failed.slice(0, explainedMax))
    console.log(`seed ${seed} failed\n${await explain(report)}\n`);
  const numbers = failed.map(({ seed }) => seed).join(', ');
  console.log(
    `seeds ${from}–${from + seeds - 1}: ${steps} steps, ${redecisions} tasks decided anew, ${failed.length} failed${numbers && `: ${numbers}`}`,
  );
  if (tellReached) console.log(JSON.stringify({ ...reached, 'tasks decided anew': redecisions }));
  return failed.length === 0 ? 0 : 1;
}

void main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
