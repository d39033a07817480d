import type { Trouble } from '../../ledger/queries/trouble';
import { loopWords } from './loop-words';

/** What stood in the way, as one sentence without its end. */
export function troubleWords({ kind, what, code, detail, loop }: Trouble): string {
  const because = detail === null ? code : `${code} · ${detail}`;
  switch (kind) {
    case 'model':
      return `model ${what} failed: ${because}`;
    case 'tool':
      return `${what} cannot be used: ${because}`;
    case 'workspace':
      return `the workspace cannot be used: ${because}`;
    case 'commit':
      return `the result could not be put on branch ${what}: ${because}`;
    case 'check':
      return `check ${what} could not be run: ${because}`;
    case 'activity':
      return `${what} gave no answer: ${because}; the worker's log says more`;
    case 'loop':
      return loop ? `${loop.action} ${loopWords({ ...loop, tool: what })}` : because;
    case 'workflow':
      return `Temporal says that the workflow is over (${because})`;
  }
}
