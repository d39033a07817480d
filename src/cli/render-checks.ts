import type { CheckedCriterion } from '../ledger/queries/attempt-details';
import { excerpt } from '../requests/words/words';
import { paint } from './output';
import { row } from './row';

const detailLength = 400;
/** Failing tests say what matters at the end, and this much of it fits beside the rest of `show`. */
const shownLinesMax = 20;

/** What a check found; where it failed, the end of what it printed and where all of it is. */
export function renderCheck(checked: CheckedCriterion): readonly string[] {
  const { id, check, met, candidate, detail } = checked;
  if (met === null) return [row('check', `${paint('dim', '·')} ${id} (${check}), not checked yet`)];
  const mark = met ? paint('green', '✓') : paint('red', '✗');
  const said = met || !detail ? '' : `: ${excerpt(detail, detailLength)}`;
  return [row('check', `${mark} ${id} (${check}), candidate ${candidate}${said}`), ...(met ? [] : outputOf(checked))];
}

function outputOf({ output, artifact }: CheckedCriterion): readonly string[] {
  const lines = (output ?? '').trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  const left = lines.length - shownLinesMax;
  return [
    ...(left > 0 ? [row('', paint('dim', `… ${left} lines before; \`show --json\` has them as checks[].output`))] : []),
    ...lines.slice(-shownLinesMax).map((line) => row('', paint('dim', `│ ${line}`))),
    ...(artifact === null ? [] : [row('', paint('dim', `all ${artifact.bytes} bytes: artifact ${artifact.hash}`))]),
  ];
}
