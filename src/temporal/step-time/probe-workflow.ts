import { proxyActivities } from '@temporalio/workflow';

/** Longer than any service takes for an activity that does nothing. */
const activityTimeoutMs = 10_000;

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({
  startToCloseTimeout: activityTimeoutMs,
  retry: { maximumAttempts: 1 },
});

/** Runs an activity that does nothing, so many times, and returns the milliseconds from one to the next. */
export async function stepTimeProbe(steps: number): Promise<number> {
  await nothing(); // the first one also waits for what every start waits for
  const began = Date.now();
  for (let step = 0; step < steps; step += 1) await nothing();
  return (Date.now() - began) / steps;
}
