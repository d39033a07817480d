import { InputError } from '../located-yaml/input-error';
import type { TemporalTarget } from '../temporal/target';

/**
 * What Temporal's own environment configuration names; undefined where it names nothing. A profile counts only where a
 * variable asks for it: a profile that lies in the home folder must not take the place of the embedded server unasked.
 */
export function temporalTarget(env: Readonly<Record<string, string | undefined>>): TemporalTarget | undefined {
  const profile = env['TEMPORAL_PROFILE'] || env['TEMPORAL_CONFIG_FILE'];
  if (!profile && !env['TEMPORAL_ADDRESS']) return undefined;

  // Loaded here because most runs of the command line use the embedded server and should not wait for it.
  const envconfig: typeof import('@temporalio/envconfig') = require('@temporalio/envconfig');
  const set = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const { namespace, connectionOptions } = envconfig.loadClientConnectConfig({
    overrideEnvVars: set,
    disableFile: !profile,
  });
  const { address, apiKey, tls, metadata } = connectionOptions;
  if (!address)
    throw new InputError([{ message: "Temporal's configuration names no address" }], 'Set TEMPORAL_ADDRESS.');
  return {
    address,
    namespace: namespace ?? 'default',
    connection: {
      ...(typeof apiKey === 'string' && { apiKey }),
      ...(tls !== undefined && tls !== null && { tls }),
      ...(metadata && { metadata }),
    },
  };
}
