import type { EventContent } from '../protocol/events';

/** Most calls are over by then; whoever looks at a terminal for longer wants to know what runs. */
const longCallMs = 2_000;

/** The calls that a follower saw begin and not end; reads run side by side. */
export interface LongCall {
  /** Told of every event, in order. */
  see(content: EventContent, step: number, nowMs: number): void;
  /** One that has run for `longCallMs` now and was not told of yet, the oldest first. */
  due(nowMs: number): { readonly step: number; readonly index: number; readonly tool: string } | undefined;
}

interface Running {
  readonly step: number;
  readonly index: number;
  readonly tool: string;
  readonly sinceMs: number;
  told: boolean;
}

export function longCall(): LongCall {
  const running = new Map<number, Running>();
  return {
    see(content, step, nowMs) {
      switch (content.type) {
        case 'action_started': {
          const { index, tool } = content.payload;
          running.set(index, { step, index, tool, sinceMs: nowMs, told: false });
          return;
        }
        case 'action_finished':
        case 'action_denied':
        case 'tool_retry':
          running.delete(content.payload.index);
          return;
        // What is said of a call that runs, or to the attempt meanwhile.
        case 'protected_read':
        case 'loop_warning':
        case 'message_taken':
        case 'message_rejected':
          return;
        default:
          running.clear(); // the attempt has gone on
      }
    },
    due(nowMs) {
      const next = [...running.values()].find(({ told, sinceMs }) => !told && nowMs - sinceMs >= longCallMs);
      if (!next) return undefined;
      next.told = true;
      const { step, index, tool } = next;
      return { step, index, tool };
    },
  };
}
