import { type EffectClass, effectClasses } from '../../../src/domain/effect/effect';
import type { Blow, KillRun } from './kill-run';
import { points, pointWords } from './points';
import { shopToolName } from './shop-tools';

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** One line a blow, as it is dealt. */
export function progressLine({ round, wentOnMs }: Blow, kills: number): string {
  const { number, point, tool, blow, fault } = round;
  const trouble = fault ? `, ${fault.fault}${fault.ms ? ` ${fault.ms} ms` : ''}` : '';
  return `${number}/${kills} ${blow} ${pointWords[point]} · ${shopToolName(tool)}${trouble} · went on after ${Math.round(wentOnMs)} ms`;
}

/** A Markdown table: blows by point and class (kills + stops), and how long attempts took to go on. */
export function reportTable({ blows, told, wrong }: KillRun, seed: number): string {
  const kills = blows.filter(({ round }) => round.blow === 'kill');
  const stops = blows.filter(({ round }) => round.blow === 'stop');
  const lines = [...points, 'at_random' as const].map((point) => {
    const here = blows.filter(({ round }) => round.point === point);
    const cells = effectClasses.map((effect) => cellOf(here, effect));
    return row([pointWords[point], ...cells, timesOf(here, 'kill'), timesOf(here, 'stop')]);
  });
  return [
    `Seed ${seed}: ${kills.length} kills + ${stops.length} stops of 7 s; ${told} words of people; ${wrong.length} disagreements. Times are median · worst.`,
    '',
    row(['', ...effectClasses, 'went on after a kill, ms', 'after a stop, ms']),
    row(['---', ...effectClasses.map(() => '---'), '---', '---']),
    ...lines,
    row([
      'all',
      ...effectClasses.map((effect) => cellOf(blows, effect)),
      timesOf(blows, 'kill'),
      timesOf(blows, 'stop'),
    ]),
  ].join('\n');
}

function cellOf(blows: readonly Blow[], effect: EffectClass): string {
  const here = blows.filter(({ round }) => round.tool.effect === effect);
  const stops = here.filter(({ round }) => round.blow === 'stop').length;
  return here.length === 0 ? '–' : `${here.length - stops} + ${stops}`;
}

/** Median and worst. */
function timesOf(blows: readonly Blow[], blow: Blow['round']['blow']): string {
  const times = blows.filter(({ round }) => round.blow === blow).map(({ wentOnMs }) => Math.round(wentOnMs));
  times.sort((a, b) => a - b);
  return times.length === 0 ? '–' : `${times[Math.floor(times.length / 2)]} · ${times.at(-1)}`;
}
