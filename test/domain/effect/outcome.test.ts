import { effectPhases } from '../../../src/domain/effect/effect';
import { phaseAfter, type SentTry, settle } from '../../../src/domain/effect/outcome';

const send = (proven: boolean): SentTry => ({ try: 1, execution: 1, proven });

test('E4 what a send comes to', () => {
  expect(phaseAfter('committed', [send(false)], false)).toBe('COMMITTED');
  expect(phaseAfter('thrown', [], true)).toBe('UNKNOWN');
  expect(phaseAfter('rejected', [], false)).toBe('NOT_COMMITTED');
  expect(phaseAfter('rejected', [send(true)], false)).toBe('NOT_COMMITTED');
});

test('E4 a refusal settles the row only where every other send is proven, or where it is final for the key', () => {
  expect(phaseAfter('rejected', [send(true), send(false)], false)).toBe('UNKNOWN');
  expect(phaseAfter('rejected', [send(true), send(false)], true)).toBe('NOT_COMMITTED');
});

test.each(effectPhases.map((phase) => [phase]))('E4 a word from outside on a row that is %s', (phase) => {
  const words = (['COMMITTED', 'NOT_COMMITTED'] as const).map((word) => settle({ phase }, word).kind);
  const expected = {
    CLAIMED: ['settles', 'agrees'],
    SENT: ['settles', 'settles'],
    UNKNOWN: ['settles', 'settles'],
    COMMITTED: ['agrees', 'conflict'],
    COMPENSATED: ['agrees', 'conflict'],
    COMPENSATION_FAILED: ['agrees', 'conflict'],
    NOT_COMMITTED: ['conflict', 'agrees'],
  };
  expect(words).toEqual(expected[phase]);
});
