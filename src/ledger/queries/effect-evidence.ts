/** What was learnt of an effect beside its own answer (E4, E6, R4.7). What does not apply is left out. */
export interface EffectEvidence {
  /** `conflict`: it contradicts what was recorded by then. */
  readonly kind: 'late' | 'probe' | 'person' | 'conflict';
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Of a late answer and of a person. */
  readonly said?: 'COMMITTED' | 'NOT_COMMITTED';
  /** Of a probe. */
  readonly found?: string;
  /** The person. */
  readonly by?: string;
  readonly channel?: string;
  /** What the person looked at. */
  readonly evidence?: string;
  readonly code?: string;
  readonly downstreamId?: string | null;
}

/** Of effect `f`: all of it, oldest first, as JSON, its times as PostgreSQL writes them. */
export const evidenceColumn = `(select coalesce(json_agg((v.body - 'messageId')
      || jsonb_build_object('kind', v.kind, 'at', v.at) order by v.id), '[]')
    from effect_evidence v where v.tenant = f.tenant and v.key = f.key and v.generation = f.generation)`;

export function evidenceOf(row: EffectEvidence): EffectEvidence {
  return { ...row, at: new Date(row.at).toISOString() };
}
