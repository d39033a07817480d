import { leftOutHash } from '../../domain/context/truncate';
import type { ReadSource } from '../../domain/contract/citations-check';
import { loadBody } from '../bodies';
import type { AnsweredCall } from '../ledger-port';
import type { ReadTool } from '../ports';
import { bringSnapshots } from '../workspace-bundles';
import type { CheckScene } from './verifier';

/** What the attempt read of sources, as it was answered then: the copies are those of the ledger and the object store. */
export async function readSources(scene: CheckScene): Promise<readonly ReadSource[]> {
  const { deps, attempt } = scene;
  const tools = new Map<string, ReadTool>();
  for (const name of deps.tools.names()) {
    const tool = deps.tools.get(name);
    if (tool?.effect === 'none' && tool.source) tools.set(name, tool);
  }
  const isOwnWork = ownWork(scene);
  const sources: ReadSource[] = [];
  for (const call of await deps.ledger.answered(attempt.ref, [...tools.keys()])) {
    const tool = tools.get(call.tool);
    const args: unknown = JSON.parse(await loadBody(deps.artifacts, attempt.ref.tenant, call.args));
    const name = tool && sourceOf(tool, args);
    if (!tool || name === undefined) continue;
    const whole = await storedCopy(scene, call.text);
    sources.push({
      names: [name, ...(whole ? [whole.hash] : [])],
      text: whole?.text ?? call.text,
      ownWork: tool.workspace && (await isOwnWork(call, name)),
    });
  }
  return sources;
}

/** A tool that cannot say it of these arguments, such as one that names an argument which was left out, read no source. */
function sourceOf(tool: ReadTool, args: unknown): string | undefined {
  try {
    return tool.source?.(args as never);
  } catch {
    return undefined;
  }
}

/** The whole answer, where the model was shown its beginning and its end. What only looks like that has another beginning. */
async function storedCopy(
  { deps, attempt }: CheckScene,
  shown: string,
): Promise<{ readonly hash: string; readonly text: string } | undefined> {
  const cut = leftOutHash(shown);
  if (!cut) return undefined;
  const text = (await deps.artifacts.get(attempt.ref.tenant, cut.hash))?.toString('utf8');
  return text?.startsWith(cut.head) ? { hash: cut.hash, text } : undefined;
}

/** Says of a file whether it differed from where the work began when it was read: then the attempt cites itself. */
function ownWork({ deps, attempt, signal }: CheckScene): (call: AnsweredCall, path: string) => Promise<boolean> {
  const { ref, baseCommit } = attempt;
  const changedAt = new Map<string, ReadonlySet<string>>();
  return async ({ snapshot }, path) => {
    if (baseCommit === null || snapshot === null) return false;
    const known = changedAt.get(snapshot);
    const changed = known ?? new Set(await changedPaths(baseCommit, snapshot));
    changedAt.set(snapshot, changed);
    return changed.has(path.replace(/\/{2,}/g, '/').replace(/^(\.\/)+/, ''));
  };

  async function changedPaths(base: string, snapshot: string): Promise<readonly string[]> {
    await bringSnapshots(deps, attempt, [snapshot], signal);
    const files = await deps.workspaces.changedFiles({ tenant: ref.tenant, attempt: ref.id }, base, snapshot);
    return files.map(({ path }) => path);
  }
}
