import { explain, sweep } from './find-failure';

/** Failing schedules that a test shows whole: one is read at a time. */
const shownMax = 1;

/** Runs the schedules of so many seeds and throws what the first that fails broke, made small; else says what they reached. */
export async function hold(from: number, seeds: number): Promise<Readonly<Record<string, number>>> {
  const { failed, reached, redecisions } = await sweep(from, seeds);
  if (failed.length === 0) return { ...reached, 'tasks decided anew': redecisions };
  const shown = await Promise.all(failed.slice(0, shownMax).map(({ report }) => explain(report)));
  const numbers = failed.map(({ seed }) => seed).join(', ');
  throw new Error(`${failed.length} of ${seeds} schedules failed: ${numbers}\n\n${shown.join('\n\n')}`);
}
