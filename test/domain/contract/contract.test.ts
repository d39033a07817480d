import { createHash } from 'node:crypto';
import { completion } from '../../../src/domain/contract/completion';
import type { Contract } from '../../../src/domain/contract/contract';
import { contractHash } from '../../../src/domain/contract/hash';
import { withImplied } from '../../../src/domain/contract/implied';

const contract: Contract = {
  kind: 'code_change',
  goal: 'Repair it.',
  constraints: [],
  forbidden: [],
  tools: ['read_file'],
  acceptance: [
    { id: 'changed', check: 'diff' },
    { id: 'tests', check: 'command', run: 'npm test' },
  ],
};
const dialog: Contract = { ...contract, kind: 'dialog', acceptance: [] };

test('the hash of a contract is fixed: SHA-256 of its canonical JSON', () => {
  const canonical =
    '{"acceptance":[{"check":"diff","id":"changed"},{"check":"command","id":"tests","run":"npm test"}],' +
    '"constraints":[],"forbidden":[],"goal":"Repair it.","kind":"code_change","tools":["read_file"]}';
  expect(contractHash(contract)).toBe(createHash('sha256').update(canonical).digest('hex'));
});

test('the order of keys is no difference, the order and wording of criteria is', () => {
  const { kind, goal, ...rest } = contract;
  expect(contractHash({ ...rest, goal, kind })).toBe(contractHash(contract));
  expect(contractHash({ ...contract, acceptance: [...contract.acceptance].reverse() })).not.toBe(
    contractHash(contract),
  );
  expect(contractHash({ ...contract, goal: 'Repair it!' })).not.toBe(contractHash(contract));
});

test('R3.5 a contract is met when every criterion has evidence that says so', () => {
  const both = [
    { criterion: 'tests', met: true },
    { criterion: 'changed', met: true },
  ];
  expect(completion(contract, both)).toEqual({ met: true, unmet: [], unjudged: [] });
});

test('R3.5 a criterion that nothing judged is not met, and neither is evidence of something else', () => {
  const evidence = [
    { criterion: 'changed', met: true },
    { criterion: 'other', met: true },
  ];
  expect(completion(contract, evidence)).toEqual({ met: false, unmet: [], unjudged: ['tests'] });
  expect(completion(contract, []).unjudged).toEqual(['changed', 'tests']);
});

test('R3.5 one failure outweighs everything, also a success of the same criterion', () => {
  const evidence = [
    { criterion: 'tests', met: true },
    { criterion: 'tests', met: false },
    { criterion: 'changed', met: true },
  ];
  expect(completion(contract, evidence)).toEqual({ met: false, unmet: ['tests'], unjudged: [] });
});

test('R3.3 a dialog is met by its answer; a code change without criteria by nothing', () => {
  expect(completion(dialog, []).met).toBe(true);
  expect(completion({ ...contract, acceptance: [] }, []).met).toBe(false);
});

test('R3.3 a code change must change something, also where its author did not say so', () => {
  const tests = contract.acceptance.slice(1);
  expect(withImplied({ ...contract, acceptance: tests }).acceptance).toEqual([
    { id: 'changed', check: 'diff' },
    ...tests,
  ]);
  expect(withImplied(contract)).toBe(contract);
  expect(withImplied(dialog)).toBe(dialog);
});

test('R3.3 a business action is met by what was read back, and by nothing where nothing is', () => {
  const refund = { id: 'refunded', check: 'external', tool: 'get_refund', args: {}, expect: {} } as const;
  const business: Contract = { ...contract, kind: 'business_action', acceptance: [refund] };
  expect(withImplied(business)).toBe(business);
  expect(completion(business, [{ criterion: 'refunded', met: true }]).met).toBe(true);
  expect(completion({ ...business, acceptance: [] }, []).met).toBe(false);
});

test('R3.3 the implied criterion takes an id that nobody has', () => {
  const acceptance = [{ id: 'changed', check: 'command', run: 'true' }] as const;
  const ids = withImplied({ ...contract, acceptance }).acceptance.map((criterion) => criterion.id);
  expect(ids).toEqual(['changed-something', 'changed']);
});
