import type { Client } from '@temporalio/client';
import type { TemporalProbe } from '../embedded/checks';
import { connectTemporal } from '../temporal/connect';
import type { TemporalTarget } from '../temporal/target';
import { workerVersions } from '../temporal/worker-versions';

/** Asks a Temporal service with the keys and certificates that this installation connects with. */
export function temporalProbe(target: TemporalTarget): TemporalProbe {
  const ask = async <T>(question: (client: Client) => Promise<T>): Promise<T> => {
    const client = await connectTemporal(target);
    try {
      return await question(client);
    } finally {
      await client.connection.close();
    }
  };
  return {
    serverVersion: () =>
      ask(async ({ connection }) => (await connection.workflowService.getSystemInfo({})).serverVersion),
    searchAttributes: (names) =>
      ask(async ({ connection }) => {
        const { customAttributes } = await connection.operatorService.listSearchAttributes({
          namespace: target.namespace,
        });
        return names.filter((name) => name in customAttributes);
      }),
    workerVersions: () => ask((client) => workerVersions(client)),
    stepMs: () => {
      // Loaded here: it brings the worker's native library, which the other questions do without.
      const {
        stepTimeMs,
      }: typeof import('../temporal/step-time/step-time') = require('../temporal/step-time/step-time');
      return ask((client) => stepTimeMs(client, target));
    },
  };
}
