import { outageJitter, outagePauseMaxMs, outagePauseMinMs, outageShare } from '../limits';
import type { Run } from '../run/run';

/** Waits before an unreachable ledger is asked again. The time is nobody's run time, so it is not billed. */
export async function waitOutOutage(run: Run, from: number): Promise<void> {
  const startedAt = run.host.now();
  const plainMs = Math.min(Math.max((startedAt - from) * outageShare, outagePauseMinMs), outagePauseMaxMs);
  await run.host.sleep(Math.round(plainMs * (1 + outageJitter * run.host.random())), 'the ledger cannot be reached');
  run.since += run.host.now() - startedAt;
}
