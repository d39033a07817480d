/** Why nobody could tell whether an effect happened (R4.5). */
export interface UnknownCause {
  readonly code: string;
  /** What the tool said when it failed; null where it said nothing, or was never heard of again. */
  readonly detail: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Of effect `f`: the newest, as JSON, its time as PostgreSQL writes it. */
export const unknownCauseColumn = `(select json_build_object('code', e.payload ->> 'code', 'detail', e.payload ->> 'detail', 'at', e.at)
    from events e where e.attempt = f.attempt and e.type = 'effect_unknown'
      and e.payload ->> 'effect' = f.tenant || '/' || f.key || '/g' || f.generation
    order by e.sequence desc limit 1)`;

export function unknownCauseOf(row: UnknownCause | null): UnknownCause | null {
  return row && { ...row, at: new Date(row.at).toISOString() };
}
