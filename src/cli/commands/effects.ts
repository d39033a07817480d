import { effectList, type ListedEffect } from '../../ledger/queries/effect-list';
import { type RefusedWrite, refusedWrites } from '../../ledger/queries/refused-writes';
import { find } from '../../requests/naming/find';
import { callWords } from '../../requests/words/call-words';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { causeWords, evidenceWords } from '../found-out';
import { note, printJson, printTable, say } from '../output';
import { refusedWords } from '../refused-words';
import { withSession } from '../session';
import { phaseWord } from '../words';

export interface EffectsOptions extends CommonOptions {
  /** Only the writes that were not let through. */
  readonly refused?: boolean;
}

/** The effect ledger of one attempt, one row an effect (R4.2), and the writes that were not let through (R5.2). */
export function effects(given: string, options: EffectsOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const [listed, refused] = await Promise.all([
      options.refused ? [] : effectList(session.pool, ref),
      refusedWrites(session.pool, ref),
    ]);
    if (options.json) printJson(options.refused ? refused : listed);
    else print(ref.id, listed, refused, options.refused ?? false);
    return exitCodes.done;
  });
}

function print(id: string, listed: readonly ListedEffect[], refused: readonly RefusedWrite[], only: boolean): void {
  if (listed.length > 0) printTable(head, listed.map(rowOf));
  else if (!only) note(`${id} has done nothing outside its workspace.`);
  if (refused.length === 0 && only) note(`Every write that ${id} proposed was let through.`);
  if (refused.length === 0) return;
  if (listed.length > 0) say();
  printTable(refusedHead, refused.map(refusedRow));
}

const head = [
  'action',
  'tool',
  'target',
  'phase',
  'tries',
  'sent',
  'committed',
  'by whose leave',
  'key',
  'their id',
  'found out',
];

function rowOf(effect: ListedEffect): string[] {
  const { actionId, tool, target, phase, tries, sentAt, committedAt, authorization, key, downstreamId } = effect;
  const { rule, approvedBy } = authorization;
  const leave = approvedBy.length === 0 ? rule : `${rule}: ${approvedBy.join(', ')}`;
  const when = [sentAt ?? '', committedAt ?? ''];
  const found = [
    ...(effect.unknown === null ? [] : [causeWords(effect.unknown)]),
    ...effect.evidence.map(evidenceWords),
  ];
  return [
    actionId,
    tool,
    target,
    phaseWord(phase),
    String(tries),
    ...when,
    leave,
    key,
    downstreamId ?? '',
    found.join('; '),
  ];
}

const refusedHead = ['action', 'not let through', 'why'];

const refusedRow = (write: RefusedWrite): string[] => [
  write.actionId,
  callWords(write.tool, write.args),
  refusedWords(write),
];
