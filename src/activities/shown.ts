import { headTail, inlineBytesMax } from '../domain/context/truncate';
import { failed } from '../domain/failure/failed';
import { type Judgement, loopError } from '../domain/progress/ladder';
import type { ActivityDeps } from './deps';
import type { StoredBody } from './ledger-port';
import { errorText } from './observe';
import { ArtifactError } from './ports';
import type { ToolOutcome } from './tool-run';

export interface Shown {
  /** What the model is shown. */
  readonly text: string;
  /** What the runtime says beside it, to stand behind it. */
  readonly notice?: string;
  /** The whole of it, where that is too long to show. */
  readonly stored?: StoredBody;
}

/** What the model sees. An output that cannot be kept makes the try a failed one, so that nothing of it is lost unseen. */
export async function shown(
  deps: ActivityDeps,
  tenant: string,
  tool: string,
  outcome: ToolOutcome,
  judgement: Judgement,
): Promise<ToolOutcome & Shown> {
  const { result } = outcome;
  const warning = loopError(judgement, tool);
  const notice = warning && { notice: `\n\n${JSON.stringify(warning)}` };
  const text = result.ok ? result.output : errorText(result);
  const bytes = Buffer.from(text);
  if (bytes.length <= inlineBytesMax) return { ...outcome, text, ...notice };
  try {
    const stored = { hash: await deps.artifacts.put(tenant, bytes), bytes: bytes.length };
    return { ...outcome, text: headTail(text, inlineBytesMax, stored.hash), ...notice, stored };
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    const lost = failed(error.failure, `${error.message} The output of ${tool} was not kept.`, error.suggestedAction);
    return { result: lost, text: errorText(lost) };
  }
}
