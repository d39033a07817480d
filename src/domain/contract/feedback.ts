import { fence } from '../context/fence';
import type { Criterion } from './contract';
import { feedbackAllowed } from './feedback-allowed';
import { criterionInWords } from './words';

/** What a check found, as its evidence row holds it. */
export interface Finding {
  readonly criterion: string;
  readonly met: boolean;
  /** What was wrong, in words of the runtime. */
  readonly detail: string;
  /** What the check printed: data from the workspace. Already cut to size. */
  readonly output?: string;
}
export interface RepairsLeft {
  readonly repairs: number;
  readonly maxRepairs: number;
}

/**
 * What the model is told about a candidate that fell short: for each unmet criterion what was demanded and what was
 * found (R3.4). A criterion with `repair: false` is left out, whatever its evidence: nothing of it comes back.
 */
export function feedbackText(criteria: readonly Criterion[], findings: readonly Finding[], left: RepairsLeft): string {
  const open = criteria.filter(feedbackAllowed);
  const unmet = open.flatMap((criterion) => {
    const finding = findings.find((row) => row.criterion === criterion.id);
    return finding && !finding.met ? [difference(criterion, finding)] : [];
  });
  const met = open.filter((criterion) => findings.some((row) => row.criterion === criterion.id && row.met));
  return [
    'The work was checked and is not done.',
    ...unmet,
    ...(met.length > 0 ? [`Met: ${met.map((criterion) => criterion.id).join(', ')}.`] : []),
    `Repair the cause and call finish again. This is repair ${left.repairs} of ${left.maxRepairs}.`,
  ].join('\n\n');
}

function difference(criterion: Criterion, finding: Finding): string {
  const lines = [`Unmet: ${criterion.id}`, `Demanded: ${criterionInWords(criterion)}`, `Found: ${finding.detail}`];
  if (finding.output) lines.push(`Output:\n${fence(finding.output)}`);
  return lines.join('\n');
}
