import type { WorkerVersions } from '../../protocol/worker-versions';
import { registeredSearchAttributes, temporalServerVersion } from '../temporal/temporal-probe';
import { dynamicConfig, searchAttributes } from '../temporal/temporal-settings';
import type { Check } from './check';
import { checkVersions } from './check-versions';
import { defineCheck } from './define-check';

/** How a Temporal service is asked; whoever has a client for TLS and keys brings their own. */
export interface TemporalProbe {
  serverVersion(): Promise<string>;
  /** Those of `names` that the namespace has. */
  searchAttributes(names: readonly string[]): Promise<readonly string[]>;
  /** Milliseconds that one trivial activity takes, from one to the next. */
  stepMs?(): Promise<number>;
  workerVersions?(): Promise<WorkerVersions>;
}

/** An untuned server takes about 100 ms an activity, a tuned one 27 to 36. */
const slowStepMs = 70;

/** Asks a service without TLS by itself. */
export function plainTemporalProbe(address: string, namespace: string): TemporalProbe {
  return {
    serverVersion: () => temporalServerVersion(address),
    searchAttributes: (names) => registeredSearchAttributes(address, namespace, names),
  };
}

export function checksOfTemporal(address: string, probe: TemporalProbe): readonly Check[] {
  const { stepMs, workerVersions } = probe;
  return [
    checkReachable(address, probe),
    checkSearchAttributes(probe),
    ...(stepMs === undefined ? [] : [checkSpeed(() => stepMs.call(probe))]),
    ...(workerVersions === undefined ? [] : [checkVersions(() => workerVersions.call(probe))]),
  ];
}

function checkReachable(address: string, probe: TemporalProbe): Check {
  const fix = `Nothing answers at ${address}: start it, or unset TEMPORAL_ADDRESS and run \`holdfast up\`.`;
  return defineCheck('Temporal', true, fix, async () => ({
    ok: true,
    found: `server ${await probe.serverVersion()} at ${address}`,
  }));
}

function checkSearchAttributes(probe: TemporalProbe): Check {
  const fix =
    'Attempts run without them, but cannot be filtered in Temporal: temporal operator search-attribute create --type Keyword --name …';
  return defineCheck('search attributes', false, fix, async () => {
    const registered = await probe.searchAttributes(searchAttributes);
    const missing = searchAttributes.filter((name) => !registered.includes(name));
    if (missing.length === 0) return { ok: true, found: registered.join(', ') };
    const flags = missing.map((name) => `--name ${name}`).join(' ');
    return {
      ok: false,
      found: `missing: ${missing.join(', ')}`,
      fix: `temporal operator search-attribute create --type Keyword ${flags}`,
    };
  });
}

function checkSpeed(stepMs: () => Promise<number>): Check {
  const settings = Object.entries(dynamicConfig).map(([key, value]) => `${key}=${value}`);
  const fix = `Set in the server's dynamic configuration: ${settings.join(', ')}`;
  return defineCheck('Temporal speed', false, fix, async () => {
    const ms = await stepMs();
    const found = `${ms.toFixed(0)} ms an activity`;
    return ms < slowStepMs
      ? { ok: true, found }
      : { ok: false, found: `${found}: the server's own limit is in force`, fix };
  });
}
