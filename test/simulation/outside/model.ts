import type { ModelPort, Usage } from '../../../src/activities/ports';
import type { Owner, Scheduler } from '../engine/scheduler';

export interface ScriptedAction {
  readonly tool: string;
  readonly args: object;
}
/** One answer of the model after another; then it says that it is done. */
export type Script = readonly (readonly ScriptedAction[])[];

export type ModelBehaviour = 'answers' | 'fails' | 'hangs' | 'is slow';
export const modelBehaviours: readonly ModelBehaviour[] = ['answers', 'fails', 'hangs', 'is slow'];

const used: Usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, costMicroUsd: 30 };
const estimate: Usage = { inputTokens: 20, outputTokens: 10, cacheReadTokens: 0, costMicroUsd: 60 };
/** A hung model is given up after this, ms. */
export const modelTimeoutMs = 5_000;

/** A model whose answers follow from its attempt's script and the conversation it is shown. */
export function modelOf(
  owner: Owner,
  scheduler: Scheduler,
  scripts: ReadonlyMap<string, Script>,
  quick: boolean,
  nextBehaviour: () => ModelBehaviour,
): ModelPort {
  const profile = {
    name: 'scripted',
    version: 'scripted 1',
    contextTokens: 100_000,
    maxOutputTokens: 1_000,
    timeoutMs: modelTimeoutMs,
    quick,
  };
  return {
    profile: () => profile,
    estimate: () => estimate,
    call: (_name, request, { signal, headerFacts }) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason);
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop, { once: true });
        const said = request.messages.filter(({ role }) => role === 'assistant').length;
        const script = scripts.get(headerFacts.attempt)?.[said];
        const calls = (script ?? []).map(({ tool, args }, i) => ({
          callId: `c${said}.${i}`,
          tool,
          rawArgs: JSON.stringify(args),
        }));
        const finish = script ? ('tool_calls' as const) : ('stop' as const);
        const settle = (failed: boolean) => {
          signal.removeEventListener('abort', stop);
          if (failed) {
            const failure = { class: 'model_transient', code: 'OVERLOADED' } as const;
            resolve({ kind: 'failed', failure, detail: 'busy', usage: { ...used, outputTokens: 0 } });
          } else {
            const text = script ? 'I will.' : 'Done.';
            resolve({ kind: 'answered', text, calls, finish, usage: used, servedBy: 'scripted', price: {} });
          }
        };
        const behaviour = nextBehaviour();
        if (behaviour === 'hangs')
          scheduler.later(owner, modelTimeoutMs, 'the model never answers', () => settle(true));
        else if (behaviour === 'is slow')
          scheduler.later(owner, modelTimeoutMs / 2, 'the model answers late', () => settle(false));
        else scheduler.soon(owner, `the model ${behaviour}`, () => settle(behaviour === 'fails'));
      }),
  };
}
