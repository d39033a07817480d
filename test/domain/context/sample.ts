import { collectItems } from '../../../src/domain/context/collect-items';
import type { ItemRows } from '../../../src/domain/context/item-rows';
import { makeProjection } from '../../../src/domain/context/make-projection';
import type { Projection } from '../../../src/domain/context/projection';
import type { ProjectionFacts } from '../../../src/domain/context/validate-projection';
import type { Contract } from '../../../src/domain/contract/contract';

/** Rows of an attempt with one item of every kind, and what a good projection of them is judged by. */

export const contract: Contract = {
  kind: 'code_change',
  goal: 'Make `sum` add its arguments.',
  revisions: ['Numbers may be strings of digits.'],
  constraints: ['Change no test.'],
  forbidden: ['run_command'],
  tools: ['read_file', 'apply_patch', 'refund'],
  acceptance: [{ id: 'tests', check: 'command', run: 'npm test' }],
};

const failedText = JSON.stringify({
  ok: false,
  error: { code: 'PATCH_CONFLICT', message: 'hunk 1 does not apply', retryable: false, suggested_action: 'Read it.' },
});
const refusedText = JSON.stringify({
  ok: false,
  error: { code: 'POLICY_DENIED', message: 'no mail', retryable: false, suggested_action: '' },
});

export const uptoStep = 60;

export const rows: ItemRows = {
  contract,
  uptoStep,
  taskState: {
    steps: [
      { id: 'look', title: 'Read it', status: 'done' },
      { id: 'fix', title: 'Correct it', status: 'doing' },
      { id: 'tell', title: 'Tell the user', status: 'pending' },
      { id: 'rewrite', title: 'Write it anew', status: 'dropped' },
    ],
  },
  evidence: [{ criterion: 'tests', met: false, detail: 'sum(1,\n2) was 1' }],
  calls: Array.from({ length: uptoStep }, (_, k) => ({
    step: k + 1,
    index: 0,
    tool: k % 4 === 0 ? 'apply_patch' : 'read_file',
    ...(k % 20 === 0 && { failure: { class: 'state_conflict' as const, text: failedText } }),
    ...(k === 2 && { failure: { class: 'policy_denied' as const, text: refusedText } }),
  })),
  effects: [
    effect(7, 'COMMITTED', { downstreamId: 'rf_1', outcome: 'refunded 40' }),
    effect(8, 'UNKNOWN'),
    effect(9, 'CLAIMED'),
  ],
  approvals: [
    { step: 7, index: 0, tool: 'refund', target: 'order-7', state: 'spent', answers: [answer('ann', 'approve')] },
    { step: 12, index: 1, tool: 'refund', target: 'order-9', state: 'open', answers: [] },
  ],
  changes: [
    { path: 'src/sum.js', status: 'modified', action: { step: 5, index: 0 } },
    { path: 'src/new.js', status: 'added' },
  ],
};

function effect(step: number, phase: ItemRows['effects'][number]['phase'], more: object = {}) {
  return { step, index: 0, tool: 'refund', target: 'order-7', phase, downstreamId: null, outcome: null, ...more };
}
function answer(by: string, said: 'approve' | 'deny') {
  return { by, answer: said, reason: 'ok with me' };
}

/** Four characters to a token, as a stand-in for a tokenizer. */
export const count = (text: string) => Math.ceil(text.length / 4);

export const items = collectItems(rows);

export const projection: Projection = makeProjection({
  uptoStep,
  contractVersion: 2,
  policy: 'p1',
  madeBy: 'summary',
  items,
  itemTokens: 5_000,
  summary:
    'Patching failed until the file had been read again. The sum drops its second argument; that is what is left to do.',
  count,
});

/** Facts under which `projection` is good. */
export const facts: ProjectionFacts = {
  contractVersion: 2,
  policy: 'p1',
  items,
  steps: Array.from({ length: 75 }, (_, k) => ({ step: k + 1, callIds: [`call_${k + 1}`], observed: k < 74 ? 1 : 0 })),
  installedUptoStep: 0,
  retrieved: new Set(),
  finish: 'complete',
  tokensBefore: 10_000,
  tokensAfter: 5_000,
};
