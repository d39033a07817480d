import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { BareActivities, BareCall } from './activities';

export interface BareLoop extends Omit<BareCall, 'step'> {
  readonly steps: number;
  readonly lane: 'regular' | 'local';
}

const options = { startToCloseTimeout: '30 s', retry: { maximumAttempts: 1 } } as const;
const regular = proxyActivities<BareActivities>(options);
const local = proxyLocalActivities<BareActivities>(options);

/** Two activities a step, and nothing else. Returns when each step was done. */
export async function bareLoop({ steps, lane, ...call }: BareLoop): Promise<number[]> {
  const { bareModel, bareTool } = lane === 'regular' ? regular : local;
  for (let step = 1; step <= steps; step += 1) {
    await bareModel({ ...call, step });
    await bareTool({ ...call, step });
  }
  return await local.bareStamps(call);
}
