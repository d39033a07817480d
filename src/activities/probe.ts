import type { Answered, Call, CallAnswers } from '../protocol/calls';
import { actionId } from '../protocol/ids';
import type { ActivityDeps } from './deps';
import { landProbe, type Probing, probeStart, runProbe } from './effects/probe-effect';
import { numbered } from './numbered-call';
import type { ProbeResult } from './ports';

type Answer = CallAnswers['probe'];

/** One look at what became of an effect that nobody can tell of here (E6, R4.7). */
export function createProbe(deps: ActivityDeps) {
  return (call: Call<'probe'>, signal: AbortSignal): Promise<Answered<'probe'>> => {
    const { step, index, round } = call.args;
    return numbered<'probe', Probing, ProbeResult>(deps, 'probe', call, signal, {
      takes: 'all',
      async open(tx, { cancel, suspend, said }): Promise<{ answer: Answer } | { work: Probing }> {
        if (cancel || tx.attempt.ended) return { answer: { kind: 'interrupted' } };
        if (suspend) return { answer: { kind: 'interrupted', suspend: true } };
        // A person's word came in this transaction, whose reads show what was before it.
        if (said.effects.has(actionId(call.ref.id, step, index))) return { answer: { kind: 'probed', next: 'act' } };
        const own = await tx.effectOf(step, index);
        const start = own ? await probeStart(deps, tx, own.effect) : ({ next: 'act' } as const);
        return 'next' in start ? { answer: { kind: 'probed', next: start.next } } : { work: start };
      },
      work: (probing, abort) => runProbe(deps, call.ref.tenant, probing, abort),
      async close(tx, probing, result) {
        return { kind: 'probed', next: await landProbe(deps.tools, tx, probing, result, round) };
      },
      async cancelled(_tx, _probing, stop) {
        await stop.take();
        return stop.interrupted;
      },
    });
  };
}
