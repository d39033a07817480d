import type { ItemCall } from '../item-rows';
import type { ProtectedItem } from '../protected-item';

/** Steps that one pointer stands for: few enough to be listed in one answer of `recall`. */
export const pointedSteps = 50;

/** Of a block of steps, the tools that are named; which ones the others were is found by `recall`. */
const toolsNamedMax = 8;

/** Where the hidden steps are found, and what they did; blocks are cut at the same steps whatever is hidden. */
export function pointerItems(calls: readonly ItemCall[], uptoStep: number): readonly ProtectedItem[] {
  const blocks = Array.from({ length: Math.ceil(uptoStep / pointedSteps) }, () => ({
    tools: new Map<string, number>(),
    failed: 0,
  }));
  for (const { step, tool, failure } of calls) {
    const block = blocks[Math.floor((step - 1) / pointedSteps)];
    if (!block || step > uptoStep) continue;
    block.tools.set(tool, (block.tools.get(tool) ?? 0) + 1);
    if (failure) block.failed += 1;
  }
  return blocks.map(({ tools, failed }, k) => {
    const [from, upto] = [k * pointedSteps + 1, Math.min((k + 1) * pointedSteps, uptoStep)];
    const source = `s${from}-s${upto}`;
    const text = `Steps ${from} to ${upto}: ${toolsText(tools)}${failed > 0 ? `; ${failed} failed` : ''}`;
    return { id: `pointer/${source}`, kind: 'pointer', text, source };
  });
}

function toolsText(tools: ReadonlyMap<string, number>): string {
  const byUse = [...tools].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const named = byUse.slice(0, toolsNamedMax).map(([tool, times]) => (times > 1 ? `${tool} (${times} times)` : tool));
  const others = byUse.length - named.length;
  if (others > 0) named.push(`${others} other tools`);
  return named.length === 0 ? 'no calls' : named.join(', ');
}
