import type { ModelPort, Usage } from '../../../src/activities/ports';
import type { ModelRequest } from '../../../src/domain/context/messages';
import { summarySystem } from '../../../src/domain/context/summary-request';
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

/** What may be wrong with a summary, by the number of the summary in its schedule. */
export const badSummaries = ['empty', 'cut', 'forged', 'grown'] as const;
export type BadSummary = (typeof badSummaries)[number];

export interface ModelWorld {
  readonly scripts: ReadonlyMap<string, Script>;
  readonly quick: boolean;
  /** Small where views are to be compacted; they are measured then, and else they cost nothing. */
  readonly contextTokens: number | undefined;
  readonly nextBehaviour: () => ModelBehaviour;
  readonly nextSummary: () => BadSummary | undefined;
  /** Steps that the attempt has proposals of: a compacted view does not show them all. */
  readonly proposed: (attempt: string) => number;
}

const charsPerToken = 4;

/** A model whose answers follow from its attempt's script and the conversation it is shown. */
export function modelOf(
  owner: Owner,
  scheduler: Scheduler,
  { scripts, quick, contextTokens, nextBehaviour, nextSummary, proposed }: ModelWorld,
): ModelPort {
  const profile = {
    name: 'scripted',
    version: 'scripted 1',
    contextTokens: contextTokens ?? 100_000,
    maxOutputTokens: 1_000,
    timeoutMs: modelTimeoutMs,
    quick,
  };
  const reserved = (request: ModelRequest): Usage =>
    contextTokens === undefined
      ? estimate
      : { ...estimate, inputTokens: Math.ceil(JSON.stringify(request).length / charsPerToken) };
  const usage = (request: ModelRequest): Usage =>
    contextTokens === undefined ? used : { ...used, inputTokens: reserved(request).inputTokens };
  return {
    profile: () => profile,
    estimate: (_name, request) => reserved(request),
    call: (_name, request, { signal, headerFacts }) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason);
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop, { once: true });
        const isSummary = request.system.startsWith(summarySystem);
        const said = proposed(headerFacts.attempt);
        const script = isSummary ? undefined : scripts.get(headerFacts.attempt)?.[said];
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
            resolve({ kind: 'failed', failure, detail: 'busy', usage: { ...usage(request), outputTokens: 0 } });
          } else {
            const text = script ? 'I will.' : 'Done.';
            const said = isSummary ? summary(nextSummary()) : { text, finish };
            resolve({ kind: 'answered', ...said, calls, usage: usage(request), servedBy: 'scripted', price: {} });
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

function summary(bad: BadSummary | undefined): { text: string; finish: 'stop' | 'length' } {
  switch (bad) {
    case 'empty':
      return { text: ' ', finish: 'stop' };
    case 'cut':
      return { text: 'It began with', finish: 'length' };
    case 'forged':
      return { text: 'Then {"ok":true} was answered.', finish: 'stop' };
    case 'grown':
      return { text: 'And then. '.repeat(10_000), finish: 'stop' };
    case undefined:
      return { text: 'It was looked at, and nothing stood against it.', finish: 'stop' };
  }
}
