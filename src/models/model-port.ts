import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { ModelCallOptions, ModelOutcome, ModelPort } from '../activities/ports';
import type { ModelRequest } from '../domain/context/messages';
import { billOf, nothingBilled, reservation } from './billing';
import { openGuard, streamIdleMs } from './call-guard';
import { callHeaders, isHeaderValue } from './call-headers';
import { outputLimit, promptTokens } from './estimate';
import { type FailedCall, failureOf } from './failure-of';
import { modelVersion } from './model-version';
import type { ModelConfig, ModelsConfig } from './models-config';
import { priceRecord } from './prices';
import { needsKey, providerModel, providerOptions } from './provider';
import { type AnswerSoFar, emptyAnswer, readAnswer } from './read-answer';
import { redactedDetail, secretHeaderValues } from './redact';
import { createAnswerRedactor } from './redact-answer';
import { toPrompt, toTools } from './to-prompt';
import { createTokenCounter, type TokenCounter } from './token-count';

export interface ModelLimits {
  /** Silence after which a call ends, ms; `streamIdleMs` where left out. */
  readonly idleMs?: number;
}

/**
 * The models of an installation behind one port. Nothing is loaded and no connection made before the first use. Throws
 * where a configured header can be sent to nobody.
 */
export function createModels(config: ModelsConfig, limits: ModelLimits = {}): ModelPort {
  for (const [name, { headers }] of Object.entries(config)) checkHeaders(name, headers ?? {});
  const count = createTokenCounter();
  const made = new Map<string, { apiKey: string | undefined; model: LanguageModelV3 }>();

  const configOf = (name: string): ModelConfig => {
    const found = Object.hasOwn(config, name) ? config[name] : undefined;
    if (found === undefined) throw new Error(`no model is named "${name}" (known: ${Object.keys(config).join(', ')})`);
    return found;
  };
  const modelOf = (name: string, apiKey: string | undefined): LanguageModelV3 => {
    const kept = made.get(name);
    if (kept !== undefined && kept.apiKey === apiKey) return kept.model;
    const model = providerModel(configOf(name), apiKey);
    made.set(name, { apiKey, model });
    return model;
  };

  return {
    profile(name) {
      if (!Object.hasOwn(config, name)) return undefined;
      const { contextTokens, maxOutputTokens, timeoutMs, quick } = configOf(name);
      return { name, version: modelVersion(configOf(name)), contextTokens, maxOutputTokens, timeoutMs, quick };
    },
    estimate(name, request) {
      const model = configOf(name);
      return reservation(model, promptTokens(model, request, count));
    },
    async call(name, request, options) {
      options.signal.throwIfAborted();
      const model = configOf(name);
      const apiKey = model.apiKey?.()?.trim() || undefined;
      if (apiKey === undefined && needsKey(model))
        return noKey(`no key for model "${name}": its apiKey resolved to nothing`);
      if (!isHeaderValue(apiKey ?? ''))
        return noKey(`the key of model "${name}" holds characters that no header takes`);
      const idleMs = limits.idleMs ?? streamIdleMs;
      return callOnce({ config: model, model: modelOf(name, apiKey), apiKey, request, options, count, idleMs });
    },
  };
}

interface OneCall {
  readonly config: ModelConfig;
  readonly model: LanguageModelV3;
  readonly apiKey: string | undefined;
  readonly request: ModelRequest;
  readonly options: ModelCallOptions;
  readonly count: TokenCounter;
  readonly idleMs: number;
}

async function callOnce(call: OneCall): Promise<ModelOutcome> {
  const { config, options } = call;
  const prompt = promptTokens(config, call.request, call.count);
  const guard = openGuard({ signal: options.signal, timeoutMs: config.timeoutMs, idleMs: call.idleMs });
  const answer = emptyAnswer();
  const redactor = createAnswerRedactor(secretsOf(call));
  try {
    const { stream } = await call.model.doStream(wireRequest(call, prompt, guard.signal));
    await readAnswer(stream, answer, guard, options.onText && redactor.preview(options.onText));
  } catch (error) {
    if (guard.cause() === 'caller') throw options.signal.reason;
    const generated = answer.generated.length > 0;
    const facts = { cause: guard.cause(), responded: guard.responded(), generated, nowMs: Date.now() };
    const failed = failureOf(error, facts);
    if (failed === undefined) throw error;
    return failedOutcome(call, failed, answer, prompt);
  } finally {
    guard.close();
  }
  const { usage, price } = billOf(config, answer, prompt, call.count);
  return {
    kind: 'answered',
    servedBy: config.model,
    ...redactor.answer(answer),
    finish: finishOf(answer),
    usage,
    price: priceRecord(price),
  };
}

function wireRequest(call: OneCall, prompt: number, abortSignal: AbortSignal): LanguageModelV3CallOptions {
  const { config, request } = call;
  const settings = providerOptions(config.provider);
  return {
    prompt: toPrompt(request, config.provider),
    tools: toTools(request.tools, config.provider),
    maxOutputTokens: outputLimit(config, prompt),
    headers: callHeaders(config.headers, call.options),
    abortSignal,
    ...(settings && { providerOptions: settings }),
  };
}

function failedOutcome(call: OneCall, failed: FailedCall, answer: AnswerSoFar, prompt: number): ModelOutcome {
  const usage = failed.refused ? nothingBilled : billOf(call.config, answer, prompt, call.count).usage;
  return { kind: 'failed', failure: failed.failure, detail: redactedDetail(failed.words, secretsOf(call)), usage };
}

function secretsOf({ config, apiKey }: OneCall): readonly string[] {
  return [...secretHeaderValues(config.headers), ...(apiKey === undefined ? [] : [apiKey])];
}

/** R8.6: stops clearly, before anything is sent. */
function noKey(detail: string): ModelOutcome {
  return { kind: 'failed', failure: { class: 'unrecoverable', code: 'UNAUTHORIZED' }, detail, usage: nothingBilled };
}

function checkHeaders(model: string, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderValue(value))
      throw new Error(`header "${name}" of model "${model}" holds characters that no header takes`);
  }
}

type Finish = Extract<ModelOutcome, { kind: 'answered' }>['finish'];

function finishOf(answer: AnswerSoFar): Finish {
  switch (answer.finish?.unified) {
    case 'stop':
    case 'length':
      return answer.finish.unified;
    case 'tool-calls':
      return 'tool_calls';
    case 'content-filter':
      return 'content_filter';
    default:
      return 'other';
  }
}
