import { type EffectPhase, openPhases, standingPhases, unsettledPhases } from '../../domain/effect/effect';

/** Phases by what they mean, as statements list them. */
const listed = (phases: readonly EffectPhase[]) => `(${phases.map((phase) => `'${phase}'`).join(', ')})`;

/** The truth is open. */
export const isOpenPhase = listed(openPhases);
/** Nobody has settled it. */
export const isUnsettledPhase = listed(unsettledPhases);
/** It took effect, and that stands. */
export const isStandingPhase = listed(standingPhases);
/** A repeat may meet what it did or may still do. */
export const bindsPhase = listed([...unsettledPhases, ...standingPhases]);
