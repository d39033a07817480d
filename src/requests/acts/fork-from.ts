import { type ForkOutcome, forkAttempt } from '../../ledger/fork-attempt';
import type { AttemptRef } from '../../protocol/ids';
import { checkpointNamed } from '../naming/checkpoint-name';
import { type RefusalCode, RequestRefused } from '../request-refused';
import { installedVersion } from '../running/installed-version';
import { orSealBroken } from '../running/or-seal-broken';
import { requireModel } from '../running/require-model';
import { type StartedRun, searchAttributesHere, startRun } from '../running/start-run';
import { runSettings } from '../running/start-snapshot';
import { textsOf } from '../running/texts';
import type { Session } from '../session';

export interface ForkRequest {
  /** A checkpoint; the newest one where left out. */
  readonly at?: string | undefined;
}

type Refusal = Extract<ForkOutcome, { kind: 'refused' }>;
export type Forked = Omit<Extract<ForkOutcome, { kind: 'forked' }>, 'kind'> & { readonly run: StartedRun };

/** Begins a new attempt of the same task from a checkpoint of another one (R12.3). */
export async function forkFrom(session: Session, from: AttemptRef, { at }: ForkRequest): Promise<Forked> {
  await requireModel(session, from);
  const outcome = await orSealBroken(
    forkAttempt(session.pool, {
      from,
      ...(at !== undefined && { at: checkpointNamed(from, at) }),
      snapshot: runSettings(session.config, await searchAttributesHere(session)),
      versions: { holdfast: installedVersion() },
      by: session.sender.name,
      texts: textsOf(session),
    }),
  );
  if (outcome.kind === 'refused') throw refusal(from, outcome);
  const { attempt, checkpoint, took } = outcome;
  return { attempt, checkpoint, took, run: await startRun(session, attempt) };
}

function refusal({ id }: AttemptRef, { why, detail }: Refusal): RequestRefused {
  const code = refusals[why];
  const isOfCheckpoint = why === 'no_checkpoint' || why === 'unreadable';
  return new RequestRefused(
    code,
    detail,
    isOfCheckpoint ? `\`holdfast show ${id}\` lists its checkpoints.` : undefined,
  );
}

const refusals: Readonly<Record<Refusal['why'], RefusalCode>> = {
  no_checkpoint: 'not_found',
  unreadable: 'rejected',
  compensation: 'rejected',
  unprepared: 'rejected',
};
