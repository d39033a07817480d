import type { EventContent } from '../protocol/events';

/** Most calls are over by then; whoever looks at a terminal for longer wants to know what runs. */
const longCallMs = 2_000;

/** The call that a follower saw begin and not end. */
export interface LongCall {
  /** Told of every event, in order. */
  see(content: EventContent, step: number, nowMs: number): void;
  /** What has run for `longCallMs` now, once for each. */
  due(nowMs: number): { readonly step: number; readonly index: number; readonly tool: string } | undefined;
}

export function longCall(): LongCall {
  let running: { step: number; index: number; tool: string; sinceMs: number; told: boolean } | undefined;
  return {
    see(content, step, nowMs) {
      if (content.type !== 'action_started') running = undefined;
      else running = { step, index: content.payload.index, tool: content.payload.tool, sinceMs: nowMs, told: false };
    },
    due(nowMs) {
      if (running === undefined || running.told || nowMs - running.sinceMs < longCallMs) return undefined;
      running.told = true;
      const { step, index, tool } = running;
      return { step, index, tool };
    },
  };
}
