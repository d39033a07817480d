import type { LoopKind } from '../../domain/progress/ladder';
import { callWords } from './call-words';
import { plural } from './words';

/** A call that got an attempt nowhere, as an event or a query tells of it. */
export interface LoopFacts {
  readonly tool: string;
  /** As the model wrote them; null where they are kept elsewhere. */
  readonly args: string | null;
  readonly repeats: number;
  readonly intervention: string;
  readonly kind?: LoopKind;
  readonly snapshot?: string;
}

/** Which call, how often, in what unchanged world, and what was done about it; without an end. */
export function loopWords({ tool, args, repeats, intervention, kind = 'repeated', snapshot }: LoopFacts): string {
  const world = snapshot === undefined ? 'nothing had changed' : `the workspace was still at ${snapshot.slice(0, 10)}`;
  return `${what(kind, callWords(tool, args), repeats)}, and ${world}: ${done(intervention)}`;
}

function what(kind: LoopKind, call: string, repeats: number): string {
  switch (kind) {
    case 'repeated':
      return `${call}: repeated ${plural(repeats, 'time')}`;
    case 'reworded':
      return `${call}: repeated ${plural(repeats, 'time')} in other words, with the same answer`;
    case 'nothing_new':
      return `${call}: the calls before it brought nothing new`;
  }
}

function done(intervention: string): string {
  switch (intervention) {
    case 'record':
      return 'noted';
    case 'warn':
      return 'the model was warned';
    case 'replan':
      return 'not run; the model has to plan anew';
    case 'end':
      return 'not run; the attempt ends';
    default:
      return intervention;
  }
}
