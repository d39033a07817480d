import { effectList, type ListedEffect } from '../../ledger/queries/effect-list';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { find } from '../find';
import { note, printJson, printTable } from '../output';
import { withSession } from '../session';
import { phaseWord } from '../words';

/** The effect ledger of one attempt, one row an effect (R4.2). */
export function effects(given: string, options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const listed = await effectList(session.pool, ref);
    if (options.json) printJson(listed);
    else if (listed.length === 0) note(`${ref.id} has done nothing outside its workspace.`);
    else printTable(head, listed.map(rowOf));
    return exitCodes.done;
  });
}

const head = ['action', 'tool', 'target', 'phase', 'tries', 'sent', 'committed', 'by whose leave', 'key', 'their id'];

function rowOf(effect: ListedEffect): string[] {
  const { actionId, tool, target, phase, tries, sentAt, committedAt, authorization, key, downstreamId } = effect;
  const { rule, approvedBy } = authorization;
  const leave = approvedBy.length === 0 ? rule : `${rule}: ${approvedBy.join(', ')}`;
  const when = [sentAt ?? '', committedAt ?? ''];
  return [actionId, tool, target, phaseWord(phase), String(tries), ...when, leave, key, downstreamId ?? ''];
}
