import { Gauge, Registry } from 'prom-client';
import { attemptStates } from '../../domain/attempt/states';
import { tenantCounts } from '../../ledger/queries/tenant-counts';
import { route } from '../route';

const microUsd = 1_000_000;

export const metricsRoute = route({
  method: 'GET',
  path: '/metrics',
  act: 'metrics',
  summary: "How the tenant's work stands, in the text format of Prometheus.",
  answers: { type: 'text/plain' },
  handle: async ({ session, reply }) => {
    const { pool, tenant } = session;
    const counts = await tenantCounts(pool, tenant);
    const registry = new Registry();
    registry.setDefaultLabels({ tenant });
    const gauge = (name: string, help: string, value: number) =>
      new Gauge({ name: `holdfast_${name}`, help, registers: [registry] }).set(value);
    const attempts = new Gauge({
      name: 'holdfast_attempts',
      help: 'Attempts by state.',
      labelNames: ['state'],
      registers: [registry],
    });
    for (const state of attemptStates)
      attempts.set({ state }, counts.attempts.find((one) => one.state === state)?.count ?? 0);
    gauge('open_approvals', 'Requests for approval that wait for an answer.', counts.openApprovals);
    gauge('oldest_approval_seconds', 'Age of the oldest of them; 0 where there is none.', counts.oldestApprovalSeconds);
    gauge('unknown_effects', 'Effects of which nobody can tell yet whether they happened.', counts.unknownEffects);
    gauge('cost_usd', 'What the model calls of all attempts have cost.', counts.costMicroUsd / microUsd);
    gauge('waiting_messages', 'Messages to open attempts that no call has taken yet.', counts.waitingMessages);
    gauge('queue_lag_seconds', 'Age of the oldest of them; 0 where there is none.', counts.oldestMessageSeconds);
    void reply.type(registry.contentType);
    return registry.metrics();
  },
});
