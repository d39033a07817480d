import { contractLayer } from '../../../src/domain/context/contract-layer';
import type { CommandCriterion, Contract } from '../../../src/domain/contract/contract';
import { feedbackText } from '../../../src/domain/contract/feedback';
import { feedbackAllowed } from '../../../src/domain/contract/feedback-allowed';
import { sealedHash, sealedTests, sealProblem, unsealed } from '../../../src/domain/contract/sealed';

const final: CommandCriterion = {
  id: 'final',
  check: 'command',
  run: 'sh SEALEDLINE.sh',
  sealed: true,
  files: { name: 'hidden', hash: 'aa' },
};
const contract: Contract = {
  kind: 'code_change',
  goal: 'g',
  constraints: [],
  forbidden: [],
  tools: [],
  acceptance: [{ id: 'open', check: 'command', run: 'sh test.sh' }, final, { ...final, id: 'second' }],
};

test('R3.4 the model is told that there is a sealed test, once, and neither its name nor what it runs', () => {
  const shown = contractLayer(contract);
  expect(shown.match(/final test/g)).toHaveLength(1);
  expect(shown).not.toMatch(/SEALEDLINE|hidden|second|final:/);
});

test('R3.4 no feedback tells of a sealed test, whatever its evidence says', () => {
  expect(feedbackAllowed({ ...final, repair: true })).toBe(false);
  const found = [{ criterion: 'final', met: false, detail: 'SEALEDDETAIL', output: 'SEALEDOUTPUT' }];
  expect(feedbackText(contract.acceptance, found, { repairs: 1, maxRepairs: 3 })).not.toMatch(/SEALED|final/);
});

test('R3.4 unsealed it is a check as any other', () => {
  const open = unsealed(contract, 'final');
  expect(sealedTests(open).map(({ id }) => id)).toEqual(['second']);
  expect(open.acceptance.find(({ id }) => id === 'final')).toEqual({ ...final, sealed: undefined });
});

test.each([
  ['another name', { id: 'other' }, true],
  ['another time limit', { timeoutMs: 1 }, true],
  ['another name of its files', { files: { name: 'renamed', hash: 'aa' } }, true],
  ['other files', { files: { name: 'hidden', hash: 'bb' } }, false],
  ['another line', { run: 'sh other.sh' }, false],
])('R3.4 a test with %s is the same one: %#', (_what, change, same) => {
  expect(sealedHash({ ...final, ...change }) === sealedHash(final)).toBe(same);
});

test('R3.4 after one was unsealed, a contract needs a sealed test, and none that was unsealed', () => {
  const known = [sealedHash(final)];
  const fresh: CommandCriterion = { ...final, id: 'fresh', run: 'sh fresh.sh' };
  expect(sealProblem(contract, [])).toBeUndefined();
  expect(sealProblem({ acceptance: [] }, [])).toBeUndefined();
  expect(sealProblem({ acceptance: [fresh, final] }, known)).toEqual({ kind: 'unsealed_before', criterion: 'final' });
  expect(sealProblem({ acceptance: [] }, known)).toEqual({ kind: 'none_sealed' });
  expect(sealProblem({ acceptance: [fresh] }, known)).toBeUndefined();
});
