import { type Checkpoint, checkpointVersion, committedShownMax } from '../domain/checkpoint/checkpoint';
import { readCheckpoint } from '../domain/checkpoint/read-checkpoint';
import { shorten } from '../domain/checkpoint/short-form';
import { placeText } from '../domain/context/items/place-text';
import { readTaskState } from '../domain/context/task-state';
import { completion } from '../domain/contract/completion';
import type { Contract } from '../domain/contract/contract';
import { type Effect, isOpen, stands } from '../domain/effect/effect';
import type { AttemptTx, Standing } from './ledger-port';
import { type VersionDeps, versionsHere } from './versions-here';

/**
 * Writes what the attempt stands on (R12.1): at a pause and at the end, and before a dangerous action, in the transaction that
 * claims it or asks for it. `effects`: all of the attempt's, where this transaction has changed them; it reads them else.
 */
export async function writeCheckpoint(
  deps: VersionDeps,
  tx: AttemptTx,
  contract: Contract,
  at: Checkpoint['at'],
  effects?: readonly Effect[],
): Promise<void> {
  const { thread, turn, step, state, reason, contractVersion, heard, account, limits, baseCommit, snapshot, start } =
    tx.attempt;
  const standing = await tx.standing();
  const { unmet, unjudged } = completion(contract, standing.evidence);
  const body: Checkpoint = {
    v: checkpointVersion,
    at,
    thread,
    turn,
    step,
    state,
    reason,
    plan: readTaskState(await tx.taskState()) ?? null,
    unmet: [...unmet, ...unjudged],
    context: { projection: standing.projection, contract: contractVersion, input: heard },
    versions: versionsHere(deps, contract, start),
    effects: effectsIn(effects ? newestFirst(effects) : standing.effects),
    elsewhere: {
      jobs: standing.jobs.map(({ tool, handle, ...place }) => ({ action: placeText(place), tool, handle })),
      children: standing.children.map(({ child, ...place }) => ({ action: placeText(place), child })),
    },
    budget: { used: account, limits: { ...limits } },
    base: baseCommit,
    snapshot,
  };
  tx.insert('checkpoints', { n: tx.n, body: shortened(body, standing.whole) });
}

/** A claim leans on the newest whole one; every other kind is whole itself, for it is what one begins from. */
function shortened(checkpoint: Checkpoint, whole: Standing['whole']): unknown {
  const base = checkpoint.at === 'effect' && whole ? readCheckpoint({ body: whole.body, base: null }) : undefined;
  return whole && base?.ok ? shorten(checkpoint, { n: whole.n, checkpoint: base.checkpoint }) : checkpoint;
}

type Noted = Pick<Effect, 'step' | 'index' | 'phase'>;

/** The rows of the effect log tell the rest. */
function effectsIn(effects: readonly Noted[]): Checkpoint['effects'] {
  const committed = effects.filter(stands);
  const uncertain = effects.filter(isOpen);
  return {
    committed: committed.slice(0, committedShownMax).map(placeText),
    more: committed.length > committedShownMax,
    uncertain: uncertain.map((effect) => ({ action: placeText(effect), phase: effect.phase })),
  };
}

const newestFirst = (effects: readonly Noted[]) => [...effects].sort((a, b) => b.step - a.step || b.index - a.index);
