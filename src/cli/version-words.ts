import type { Handling } from '../domain/checkpoint/resume-table';
import type { EventContent } from '../protocol/events';

type Changed = Extract<EventContent, { type: 'version_changed' }>['payload'];

/** What an attempt was resumed beside, and what follows of it (R12.2). */
export function versionWords({ part, name, from, to, handled }: Changed): string {
  if (part === 'checkpoint' && from === null)
    return 'its checkpoint cannot be read, so it is not resumed: `holdfast fork` begins another attempt at an earlier one, which `holdfast show` lists';
  if (part === 'checkpoint')
    return `its checkpoint is a newer Holdfast's (document version ${from}; the worker here reads up to ${to}), so it is not resumed: start a worker of the newer version, then resume it again`;
  const what = name === undefined ? part : `${part} ${name}`;
  return `${what} ${changeWords(from, to)}: ${handledWords[handled]}`;
}

function changeWords(from: string | null, to: string | null): string {
  if (to === null) return 'is not here any more';
  return from === null ? 'is new' : `is ${to}, and was ${from}`;
}

const handledWords: Readonly<Record<Handling, string>> = {
  go_on: 'the attempt goes on',
  observe_again: 'the model is told to look again',
  approve_again: 'what was approved under the old one is asked for again',
  refuse: 'what needs it is refused',
};
