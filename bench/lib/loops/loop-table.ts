import {
  fewWords,
  manyAtOnce,
  nothingNew,
  otherLimits,
  otherTimes,
  otherWords,
  overCompactions,
  renamedSteps,
} from './endless';
import {
  datesOfOrders,
  editTestCycles,
  greenChecks,
  honestPolling,
  lookingAgain,
  manyTargets,
  readPatchRead,
  searchesInVain,
} from './honest';
import { judgeRecording } from './judge-recording';
import { Random } from './random';
import type { Recording } from './recorded-call';

export interface LoopRow {
  readonly kind: string;
  readonly isLoop: boolean;
  readonly recordings: number;
  readonly calls: number;
  readonly falseAlarms: number;
  readonly stopped: number;
  /** Latest repeat that was not run, and that ended the attempt; 0 without a loop. */
  readonly refusedBy: number;
  readonly endedBy: number;
}

const kinds: readonly (readonly [kind: string, isLoop: boolean, record: (random: Random) => Recording])[] = [
  ['honest polling', false, honestPolling],
  ['edit–test cycles that progress', false, editTestCycles],
  ['read–patch–read', false, readPatchRead],
  ['green checks in one snapshot', false, greenChecks],
  ['one look in each view or step', false, lookingAgain],
  ['other searches that find nothing', false, searchesInVain],
  ['answers that differ in a time alone', false, datesOfOrders],
  ['many targets, all well', false, manyTargets],
  ['true loops with varied words', true, otherWords],
  ['true loops with timestamps', true, otherTimes],
  ['true loops in one or two words', true, fewWords],
  ['true loops across compactions', true, overCompactions],
  ['true loops under renamed plan steps', true, renamedSteps],
  ['true loops of equal calls in one proposal', true, manyAtOnce],
  ['true loops with other time limits', true, otherLimits],
  ['other calls with nothing new', true, nothingNew],
];

/** So many recordings of each kind, the same for the same numbers. */
export function loopTable(recordings: number): readonly LoopRow[] {
  return kinds.map(([kind, isLoop, record], place) => {
    const made = Array.from({ length: recordings }, (_, n) => record(new Random(place * 1_000 + n + 1)));
    const judged = made.map(judgeRecording);
    return {
      kind,
      isLoop,
      recordings,
      calls: made.reduce((sum, { calls }) => sum + calls.length, 0),
      falseAlarms: judged.reduce((sum, { alarms }) => sum + alarms, 0),
      stopped: judged.filter(({ endedAt }) => endedAt !== undefined).length,
      refusedBy: Math.max(0, ...judged.map(({ refusedAt }) => refusedAt ?? 0)),
      endedBy: Math.max(0, ...judged.map(({ endedAt }) => endedAt ?? 0)),
    };
  });
}

/** As docs/loops.md has it. */
export function loopMarkdown(rows: readonly LoopRow[]): string {
  const lines = rows.map(({ kind, isLoop, recordings, calls, falseAlarms, stopped, refusedBy, endedBy }) => {
    const loop = isLoop ? [`${stopped} of ${recordings}`, refusedBy, endedBy] : ['–', '–', '–'];
    return `| ${[kind, recordings, calls, falseAlarms, ...loop].join(' | ')} |`;
  });
  return [
    '| kind | recordings | calls | false alarms | stopped | not run from repeat | ended by repeat |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
