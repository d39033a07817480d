import type { Run } from '../run/run';
import { reasonOf } from '../run/run-state';
import { type Pending, pendingOf, type Reply } from './pending';

/** Markdown for the Temporal UI: the state, what it waits for, and what answers it. `$` would be read as mathematics there. */
export function describe(run: Run): string {
  const { state } = run;
  const reason = reasonOf(state);
  const place = `**${state.kind}**${reason ? ` (${reason})` : ''} · turn ${run.turn} · step ${run.step}`;
  return [place, ...pendingOf(state, run.step, run.ref).map(inWords)].join('\n\n');
}

const wants: Record<Pending['kind'], string> = {
  message: 'It waits for a message.',
  budget: 'A limit of its budget is used up; its work so far is kept.',
  suspended: 'It was suspended, and goes on from here once it is resumed.',
  approval: 'It waits for an approval.',
  effect: 'It waits until another effect on the same target is settled.',
  job: 'It waits for a job that another system does.',
  reconcile: 'Nobody here can tell whether an effect took place; a person who can look has to say it.',
};

function inWords(pending: Pending): string {
  const { kind, tool, actionId, expiresAt, effect, limit, least, or } = pending;
  const facts = [
    tool && actionId && `${code(tool)} (${code(actionId)})`,
    expiresAt && `until ${expiresAt}`,
    effect && `${kind === 'job' ? 'submitted as' : 'in the way:'} ${code(effect)}`,
    limit && `limit: ${code(limit)}`,
    least !== undefined && `goes on from ${least}`,
  ].filter((fact) => fact);
  return [wants[kind], facts.length > 0 ? `${facts.join(' · ')}.` : '', answer(pending), or ? `Or: ${answer(or)}` : '']
    .filter((part) => part !== '')
    .join(' ');
}

function answer({ command, signal }: Reply): string {
  if (!signal) return `Look with ${code(command)}.`;
  return `Answer with ${code(command)}, or with the signal \`${signal.name}\` and ${code(JSON.stringify(signal.input))}.`;
}

/** Names of tools and keys come from outside. */
const code = (text: string) => `\`${text.replace(/[`$]/g, '')}\``;
