import { keepRunning } from './process/keep-running';
import { startOnFreePort } from './process/start-on-free-port';
import { findTemporalCli, type ProgramSources } from './programs/find-program';
import type { OwnServer, StackPlace } from './stack-part';
import {
  chooseTemporalPorts,
  embeddedNamespace,
  startTemporalServer,
  type TemporalPorts,
} from './temporal/temporal-server';

export interface TemporalPart {
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly uiUrl?: string;
  readonly own?: OwnServer<TemporalPorts>;
}

/** The given Temporal service, or the embedded one, started and kept running. */
export async function startTemporal(
  given: {
    readonly address: string | undefined;
    readonly namespace: string | undefined;
    readonly programs: ProgramSources;
  },
  place: StackPlace,
): Promise<TemporalPart> {
  const { address, namespace = embeddedNamespace } = given;
  if (address !== undefined) return { temporalAddress: address, namespace };
  const { dataDir } = place;
  const tell = (text: string) => place.tell({ part: 'temporal', text });
  const { path: cliPath } = await findTemporalCli({ ...given.programs, onProgress: tell });
  tell('starting');
  return startOnFreePort(async (first) => {
    const ports = await chooseTemporalPorts(first ? place.earlier?.temporal?.ports : undefined);
    const start = () => startTemporalServer({ cliPath, dataDir, ports });
    const kept = await keepRunning('Temporal', start, { tell, onRestart: place.onRestart });
    tell('ready');
    const uiUrl = `http://127.0.0.1:${ports.ui}`;
    return { temporalAddress: `127.0.0.1:${ports.grpc}`, namespace: embeddedNamespace, uiUrl, own: { kept, ports } };
  });
}
