import { headTail } from '../domain/context/truncate';
import type { ActivityDeps } from './deps';
import type { EvidenceBody } from './ledger-port';

/** Output kept as evidence and shown to the model; failing tests print what matters at the end. */
const evidenceBytesMax = 8 * 1024;

/** What a check printed, as the evidence shows it. Throws ArtifactError where the whole of it cannot be kept. */
export async function keepOutput(
  deps: Pick<ActivityDeps, 'artifacts' | 'hide'>,
  tenant: string,
  printed: string,
): Promise<Pick<EvidenceBody, 'output' | 'artifact'>> {
  const output = deps.hide?.(printed) ?? printed;
  const bytes = Buffer.from(output);
  if (bytes.length <= evidenceBytesMax) return { output };
  const hash = await deps.artifacts.put(tenant, bytes);
  return { output: headTail(output, evidenceBytesMax, hash), artifact: { hash, bytes: bytes.length } };
}
