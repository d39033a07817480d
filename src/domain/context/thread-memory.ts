import { fence } from './fence';
import type { ItemEffect } from './item-rows';
import { says } from './items/effect-items';
import { itemLine } from './items/item-line';

/** What one side said in a Thread, before the turn that remembers it. */
export interface ThreadWord {
  readonly by: 'user' | 'model';
  readonly text: string;
}
/** What an attempt of the Thread did outside, or may have done. */
export type ThreadEffect = Pick<ItemEffect, 'tool' | 'target' | 'phase' | 'downstreamId' | 'outcome'> & {
  /** As the model wrote them. */
  readonly args: string;
};
export interface ThreadPast {
  /** Oldest first. */
  readonly words: readonly ThreadWord[];
  readonly effects: readonly ThreadEffect[];
}

/** In characters, some 6,000 tokens: it is part of every request of the turn. */
export const memoryMaxChars = 24_000;
/** Of one word, so that a long one does not push out all others. */
const wordMaxChars = 6_000;
/** Of what was done, a line each: a quarter of what the words have. */
const effectsMaxChars = 6_000;
/** Of the arguments of one write: enough to tell it from the others. */
const argsMaxChars = 200;

/**
 * The earlier turns of a Thread as the next one is told of them: the newest words that fit, oldest first, and then what was done
 * outside, which binds nobody here: the user may ask for it again. What the model said or did may hold what it had read elsewhere, and
 * is marked as data; what the user said is not.
 */
export function threadMemory({ words, effects }: ThreadPast): string {
  const told = newestThatFit(words.map(toldWord), memoryMaxChars);
  const done = newestThatFit(effects.flatMap(toldEffect), effectsMaxChars);
  const head = 'This conversation goes on from earlier turns. What was said in them, from the record:';
  return [
    head,
    ...(told.left > 0 ? [`(${told.left} earlier words are left out.)`] : []),
    ...told.texts,
    ...(done.texts.length > 0
      ? [`What was done outside in them, from the record:\n${fence(done.texts.join('\n'))}`]
      : []),
    ...(done.left > 0 ? [`(${done.left} earlier writes are left out.)`] : []),
  ].join('\n\n');
}

function newestThatFit(texts: readonly string[], maxChars: number): { texts: readonly string[]; left: number } {
  let room = maxChars;
  let from = texts.length;
  for (; from > 0; from -= 1) {
    room -= texts[from - 1]?.length ?? 0;
    if (room < 0) break;
  }
  return { texts: texts.slice(from), left: from };
}

function toldWord({ by, text }: ThreadWord): string {
  const shown = text.length <= wordMaxChars ? text : `${text.slice(0, wordMaxChars)} […]`;
  return by === 'user' ? `The user said:\n${shown}` : `You answered:\n${fence(shown)}`;
}

function toldEffect({ tool, target, args, downstreamId, outcome, ...effect }: ThreadEffect): readonly string[] {
  const said = says(effect);
  if (!said) return [];
  const short = args.length <= argsMaxChars ? args : `${args.slice(0, argsMaxChars)} […]`;
  const about = `${tool} ${short} on ${target}${downstreamId === null ? '' : ` (${downstreamId})`}`;
  return [`- ${itemLine(`${about} ${said.words}${outcome ? `: ${outcome}` : ''}`)}`];
}
