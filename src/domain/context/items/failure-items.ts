import { z } from 'zod';
import type { ItemCall } from '../item-rows';
import type { ProtectedItem } from '../protected-item';
import { itemLine } from './item-line';
import { placeText } from './place-text';

/**
 * Calls that failed, and why: one item for each tool and error, about the newest of them. What policy refused is a
 * decision; what a person was asked about is told by the request itself (`asked`, places).
 */
export function failureItems(calls: readonly ItemCall[], asked: ReadonlySet<string>): readonly ProtectedItem[] {
  const groups = new Map<string, { call: ItemCall; refused: boolean; why: string; times: number }>();
  for (const call of calls) {
    const refused = call.failure?.class === 'policy_denied';
    if (!call.failure || (refused && asked.has(placeText(call)))) continue;
    const why = itemLine(reason(call.failure.text));
    const key = JSON.stringify([call.tool, refused, why]);
    const times = (groups.get(key)?.times ?? 0) + 1;
    groups.delete(key); // The newest stands last.
    groups.set(key, { call, refused, why, times });
  }
  return [...groups.values()].map(({ call, refused, why, times }) => {
    const kind = refused ? 'decision' : 'failed';
    const source = placeText(call);
    const often = times > 1 ? ` ${times} times` : '';
    return {
      id: `${kind}/${source}`,
      kind,
      text: `${call.tool} ${refused ? 'was refused' : 'failed'}${often}: ${why}`,
      source,
    };
  });
}

const errorSchema = z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) });

function reason(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text; // Cut to its beginning and end, where it was long.
  }
  const read = errorSchema.safeParse(body);
  return read.success ? `${read.data.error.code}: ${read.data.error.message}` : text;
}
