/**
 * Which attempts of one task act for the same end, so that what one of them did binds the others (E1).
 *
 *   I1  Kin began after the last attempt that was COMPLETED when the later of the two began: what a completed task is started
 *       for again is begun afresh. A fork has all that it comes from for kin, completed or not.
 *   I2  The relation is the same from both sides, so that both take the lock that orders them (EffectReads.kinKey).
 *   I3  Who begins holds every open attempt of its task first (holdTask). So an attempt that finds no kin when it has its own
 *       lock has none until it lets go of it.
 */

/** Columns of `a` and `b`, rows of `attempts`. */
const descends = (heir: string, of: string) => `${heir}.start #> '{forkedFrom,ancestors}' @> to_jsonb(${of}.key)`;
const sameTask = 'b.tenant = a.tenant and b.task = a.task and b.number <> a.number';

/** `b` is kin of `a`. */
export const isKin = `${sameTask} and ((b.number > a.kin_after and b.kin_after < a.number) or ${descends('a', 'b')} or ${descends('b', 'a')})`;

/** `a` has kin; looks only at attempts that can be. A fork has what it comes from. */
export const hasKin = `(a.start -> 'forkedFrom' is not null or exists (select from attempts b
    where ${sameTask} and b.number > a.kin_after and (b.kin_after < a.number or ${descends('b', 'a')})))`;

/** `kin_after` of an attempt of the task that begins now; `$1` and `$2` are tenant and task. */
export const kinAfterNow = `(select coalesce(max(number), 0) from attempts where tenant = $1 and task = $2 and state = 'COMPLETED')`;
