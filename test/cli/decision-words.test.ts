import { decisionWords } from '../../src/cli/decision-words';
import type { Decision } from '../../src/domain/policy/policy';

const terms = { approvers: ['role:finance'], approvals: 2, expiresInMs: 86_400_000, channel: 'authenticated' } as const;

test.each<[Decision, string]>([
  [{ rule: 'r', kind: 'allow' }, 'allow'],
  [
    {
      rule: 'r',
      kind: 'constrained_allow',
      constraints: [
        { kind: 'pathPrefix', prefix: 'src' },
        { kind: 'callsPerHour', max: 1 },
      ],
    },
    'allow, held to paths below src, 1 call an hour',
  ],
  [{ rule: 'r', kind: 'require_approval', terms }, 'ask for 2 approvals of role:finance, signed in, within 24 h 0 min'],
  [{ rule: 'r', kind: 'deny', reason: 'no' }, 'deny (no)'],
  [
    { rule: 'r', kind: 'deny', reason: 'no', escalation: { ...terms, approvers: [], channel: 'asserted' } },
    'deny (no); asked for again: 2 approvals of anybody who may answer, within 24 h 0 min',
  ],
])('R5.1 a decision is said in words %#', (decision, words) => {
  expect(decisionWords(decision)).toBe(words);
});
