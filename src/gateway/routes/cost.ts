import { z } from 'zod';
import { costByDay } from '../../ledger/queries/cost-by-day';
import { route } from '../route';

export const costRoute = route({
  method: 'GET',
  path: '/v1/cost',
  act: 'read',
  summary: 'What the model calls of the tenant cost, by day (UTC), the newest first.',
  query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
  answers: 'Cost',
  handle: async ({ session: { pool, tenant }, query }) => ({
    tenant,
    days: await costByDay(pool, tenant, query.days),
  }),
});
