import type { Answers } from '../../../src/gateway/answers';
import { duration, money } from '../words';

/** What is used of each limit; a gauge is no figure, so the figure stands beside it. */
export function Budget({ document: { budget } }: { readonly document: Answers['AttemptDocument'] }) {
  const { limits, used } = budget;
  const gauges: readonly (readonly [string, number, number, (value: number) => string])[] = [
    ['Cost', used.costMicroUsd, limits.maxCostMicroUsd, money],
    ['Tokens', used.tokens, limits.maxTokens, whole],
    ['Tool calls', used.toolCalls, limits.maxToolCalls, whole],
    ['Time', used.runtimeMs, limits.maxRuntimeMs, duration],
  ];
  return (
    <dl class="gauges" aria-label="Budget">
      {gauges.map(([name, value, max, shown]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <meter min={0} max={max || 1} high={max * 0.8} value={Math.min(value, max)} aria-label={name} />
            {shown(value)} <span class="dim">of {shown(max)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const whole = (value: number): string => value.toLocaleString();
