import { Problem } from '../problem';
import { route } from '../route';

/** A database that serves answers this in milliseconds. */
const readyTimeoutMs = 2_000;

export const healthRoutes = [
  route({
    method: 'GET',
    path: '/healthz',
    act: null,
    summary: 'Whether the process lives; asks nothing else.',
    answers: 'Health',
    handle: async () => ({ status: 'ok' as const }),
  }),
  route({
    method: 'GET',
    path: '/readyz',
    act: null,
    summary: 'Whether the ledger and Temporal answer.',
    answers: 'Health',
    handle: async ({ gateway }) => {
      const signal = AbortSignal.timeout(readyTimeoutMs);
      const within = <T>(work: Promise<T>) =>
        Promise.race([
          work,
          new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        ]);
      const [ledger, temporal] = await Promise.allSettled([
        within(gateway.pool.query('select 1')),
        within(gateway.temporal.use((client) => client.workflowService.getSystemInfo({}))),
      ]);
      // Why is for the log: whoever asks is known to nobody.
      if (ledger.status === 'rejected') throw new Problem('unreachable', 'The database does not answer.');
      if (temporal.status === 'rejected') throw new Problem('unreachable', 'Temporal does not answer.');
      return { status: 'ok' as const };
    },
  }),
];
