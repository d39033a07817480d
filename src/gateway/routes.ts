import type { Route } from './route';
import { actRoutes } from './routes/acts';
import { artifactRoute } from './routes/artifact';
import { attemptRoutes } from './routes/attempts';
import { costRoute } from './routes/cost';
import { eventsRoute } from './routes/events';
import { healthRoutes } from './routes/health';
import { metricsRoute } from './routes/metrics';
import { openApiRoute } from './routes/open-api';
import { sessionRoute } from './routes/session';

/** The whole API; the OpenAPI document shows this table. */
export const routes: readonly Route[] = [
  ...healthRoutes,
  metricsRoute,
  openApiRoute(() => routes),
  sessionRoute,
  ...attemptRoutes,
  ...actRoutes,
  eventsRoute,
  artifactRoute,
  costRoute,
];
