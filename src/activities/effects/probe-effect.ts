import { type Effect, type EffectRef, idempotencyKey, isOpen } from '../../domain/effect/effect';
import { actionId } from '../../protocol/ids';
import { loadBody } from '../bodies';
import type { ActivityDeps } from '../deps';
import type { AttemptTx, Body } from '../ledger-port';
import type { ProbeResult, ToolPort, WriteTool } from '../ports';
import { inTime } from '../tool-run';
import { settleCompensated } from './compensated';
import { openSendUntil } from './open-send';
import { markUnknown } from './unknown';

/**
 * Asking the other side what became of an effect (E5, E6).
 *
 *   I1  A resend under the same key is how a write that the other side de-duplicates is asked about, so `act` does it.
 *   I2  Only `committed` settles a row, and only `not_committed_final` permits a resend: one look that found nothing proves
 *       nothing (R4.6).
 *   I3  "It did not happen" is believed only once the owner and its send can no longer be under way.
 */
export interface Probing {
  readonly ref: EffectRef;
  readonly tool: Extract<WriteTool, { effect: 'probed' }>;
  /** As the model wrote them. */
  readonly args: Body;
}
/** `act`: decide again; `wait`: look again later; `ask`: only a person can tell. */
export type ProbeNext = 'act' | 'wait' | 'ask';

/** What a look at this effect begins with; a row that its owner left SENT is UNKNOWN from here on. */
export async function probeStart(
  deps: Pick<ActivityDeps, 'tools'>,
  tx: AttemptTx,
  effect: Effect,
): Promise<Probing | { readonly next: ProbeNext }> {
  if (effect.phase === 'SENT' && effect.ownerLive) return { next: 'wait' };
  if (!isOpen(effect)) return { next: 'act' };
  markUnknown(tx, tx.attempt.ref, effect, 'NO_ANSWER');
  switch (effect.effectClass) {
    case 'idempotent':
    case 'deduplicated':
      return { next: 'act' }; // I1
    case 'unsafe':
      return { next: 'ask' };
    case 'probed': {
      if (effect.resend) return { next: 'act' };
      const tool = deps.tools.get(effect.tool);
      const args = await tx.argumentsOf(effect);
      if (tool?.effect !== 'probed' || !args) return { next: 'ask' };
      return { ref: { key: effect.key, generation: effect.generation }, tool, args };
    }
  }
}

/** A probe that fails, or does not end in time, has found out nothing. Rejects only with the signal's reason. */
export async function runProbe(
  deps: Pick<ActivityDeps, 'artifacts'>,
  tenant: string,
  { ref, tool, args }: Probing,
  signal: AbortSignal,
): Promise<ProbeResult> {
  try {
    const parsed = JSON.parse((await loadBody(deps.artifacts, tenant, args)) || '{}') as never;
    const key = idempotencyKey(tenant, ref);
    return await inTime(tool, {}, signal, (abort) =>
      tool.probe(key, parsed, { signal: abort, tenant, artifacts: deps.artifacts }),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'unknown' };
  }
}

/** Writes down what a look found, and says what follows. */
export async function landProbe(
  tools: ToolPort,
  tx: AttemptTx,
  { ref }: Probing,
  result: ProbeResult,
  round: number,
): Promise<ProbeNext> {
  const effect = await tx.effect(ref);
  if (effect?.phase !== 'UNKNOWN') return 'act';
  const name = {
    action: actionId(tx.attempt.ref.id, effect.step, effect.index),
    effect: idempotencyKey(tx.attempt.ref.tenant, ref),
  };
  tx.emit({ type: 'effect_probed', payload: { ...name, found: result.kind, round } });
  switch (result.kind) {
    case 'committed':
      tx.addEvidence(ref, { kind: 'probe', body: { found: result.kind, downstreamId: result.downstreamId ?? null } });
      tx.updateEffect(ref, effect.fence, {
        phase: 'COMMITTED',
        committed: true,
        settledBy: 'probe',
        outcome: result.output,
        ...(result.downstreamId === undefined ? {} : { downstreamId: result.downstreamId }),
      });
      tx.emit({ type: 'effect_settled', payload: { ...name, as: 'committed', by: 'probe' } });
      await settleCompensated(tx, true);
      return 'act';
    case 'not_committed_final': {
      const own = await tx.effectOf(effect.step, effect.index);
      if (await openSendUntil(tools, tx, { effect, sends: own?.sends ?? [] })) return 'wait'; // I3
      tx.addEvidence(ref, { kind: 'probe', body: { found: result.kind } });
      tx.updateEffect(ref, effect.fence, { resend: true });
      return 'act';
    }
    case 'not_found':
    case 'unknown':
      return 'wait';
  }
}
