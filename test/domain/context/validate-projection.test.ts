import fc from 'fast-check';
import { faultWords } from '../../../src/domain/context/fault-words';
import { makeProjection } from '../../../src/domain/context/make-projection';
import type { Projection } from '../../../src/domain/context/projection';
import { mayBeLeft } from '../../../src/domain/context/protected-item';
import {
  type FaultCode,
  faultCodes,
  type ProjectionFacts,
  validateProjection,
} from '../../../src/domain/context/validate-projection';
import { count, facts, items, projection, uptoStep } from './sample';

const codes = (changed: Partial<Projection>, under: Partial<ProjectionFacts> = {}): readonly FaultCode[] => {
  const judged = validateProjection({ ...projection, ...changed }, { ...facts, ...under });
  return judged.ok ? [] : judged.faults.map(({ code }) => code);
};
const without = (id: string) => ({ items: items.filter((item) => item.id !== id) });

test('R13.4 a projection that carries every item and shrinks the view is good', () => {
  expect(validateProjection(projection, facts)).toEqual({ ok: true });
});

test('R13.4 pairing: a hidden call without its result, a cut that is no step end, and a step back are refused', () => {
  const open = facts.steps.map((step) => (step.step === 59 ? { ...step, observed: 0 } : step));
  expect(codes({}, { steps: open })).toEqual(['HALF_HIDDEN']);
  const twice = facts.steps.map((step) => (step.step === 3 ? { ...step, observed: 2 } : step));
  expect(codes({}, { steps: twice })).toEqual(['HALF_HIDDEN']);
  expect(codes({ uptoStep: 76 })).toContain('NO_STEP_END');
  expect(codes({ uptoStep: 75 })).toEqual(['HALF_HIDDEN']);
  expect(codes({}, { installedUptoStep: uptoStep + 1 })).toEqual(['WENT_BACK']);
  // The newest step waits for its result and is shown: it is not half hidden.
  expect(facts.steps.at(-1)).toMatchObject({ observed: 0 });
});

test('R13.4 a projection of another contract or policy version is refused', () => {
  expect(codes({ contractVersion: 1 })).toEqual(['CONTRACT_VERSION']);
  expect(codes({ policy: 'p0' })).toEqual(['POLICY_VERSION']);
});

test('R13.4 each item has to be there as it is, or to be listed as left and to have been retrieved', () => {
  for (const item of items) {
    expect({ id: item.id, codes: codes(without(item.id)) }).toEqual({ id: item.id, codes: ['ITEM_MISSING'] });
    const left = { left: [{ kind: item.kind, count: 1, pointer: pointerOf(item.kind) }] };
    const all = new Set(items.map(({ id }) => id));
    if (mayBeLeft(item.kind)) {
      expect(codes({ ...without(item.id), ...left })).toEqual(['ITEM_NOT_RETRIEVED']);
      expect(codes({ ...without(item.id), ...left }, { retrieved: all })).toEqual([]);
    } else {
      expect(codes({ ...without(item.id), ...left }, { retrieved: all })).toContain('ITEM_MISSING');
    }
  }
});
const pointerOf = (kind: string) =>
  ({ fact: 'facts', decision: 'decisions', change: 'changes', pointer: 'steps' })[kind] ?? kind;

test('R13.4 an open approval and an effect whose outcome nobody knows are never left out', () => {
  const retrieved = new Set(items.map(({ id }) => id));
  expect(codes(without('block/s12.a1'), { retrieved })).toEqual(['ITEM_MISSING']);
  expect(codes(without('effect/s8.a0'), { retrieved })).toEqual(['ITEM_MISSING']);
});

test('R13.4 what is said to be left has to be what is left', () => {
  const left = (count: number, pointer = 'changes') => ({
    ...without('change/src/new.js'),
    left: [{ kind: 'change' as const, count, pointer }],
  });
  const retrieved = new Set(['change/src/new.js']);
  expect(codes(left(1), { retrieved })).toEqual([]);
  expect(codes(left(2), { retrieved })).toEqual(['LEFT_MISCOUNTED']);
  expect(codes(left(1, 'failed'), { retrieved })).toEqual(['LEFT_MISCOUNTED']);
  expect(codes({ left: [{ kind: 'change', count: 1, pointer: 'changes' }] })).toEqual(['LEFT_MISCOUNTED']);
  const [one] = left(1).left;
  expect(codes({ ...left(1), left: one ? [one, one] : [] }, { retrieved })).toEqual(['LEFT_MISCOUNTED']);
});

test('R13.4 a view that hardly shrinks is refused; what a new attempt inherits takes the place of nothing', () => {
  expect(codes({}, { tokensBefore: 1_000, tokensAfter: 800 })).toEqual([]);
  expect(codes({}, { tokensBefore: 1_000, tokensAfter: 801 })).toEqual(['NOT_SMALLER']);
  const inherited = { madeBy: 'inherited' as const, summary: '', uptoStep: 0 };
  expect(codes(inherited, { tokensBefore: 500, tokensAfter: 1_000, finish: null })).toEqual([]);
});

test('R13.4 a mechanical projection has no prose, and needs none', () => {
  expect(codes({ madeBy: 'mechanical', summary: '' }, { finish: null })).toEqual([]);
  expect(codes({ madeBy: 'mechanical' }, { finish: null })).toEqual(['SUMMARY_FORGES']);
});

test('R13.4 a fault names the items that it is about, and not more than ten', () => {
  const judged = validateProjection({ ...projection, items: [] }, facts);
  expect(judged).toEqual({
    ok: false,
    faults: [{ code: 'ITEM_MISSING', items: items.slice(0, 10).map(({ id }) => id) }],
  });
});

test('R13.4 each fault has words of its own', () => {
  const words = faultCodes.map((code) => faultWords({ code, items: ['goal'] }));
  expect(new Set(words).size).toBe(faultCodes.length);
});

test('R13.4 whatever room items are given, what code makes of them is good', () => {
  fc.assert(
    fc.property(fc.nat(1_000), (itemTokens) => {
      const made = makeProjection({ ...projection, items, itemTokens, count });
      const shown = new Set(made.items.map(({ id }) => id));
      const retrieved = new Set(items.filter(({ id }) => !shown.has(id)).map(({ id }) => id));
      expect(validateProjection(made, { ...facts, retrieved })).toEqual({ ok: true });
      const [lost] = retrieved;
      if (lost !== undefined) {
        expect(validateProjection(made, { ...facts, retrieved: new Set() })).toMatchObject({ ok: false });
      }
    }),
  );
});

test('R13.4 whatever is done to an item that is shown, it is noticed', () => {
  const harm = fc.constantFrom<(text: string) => string>(
    (text) => `${text}.`,
    (text) => text.slice(1),
    (text) => text.replace(/./, '¿'),
  );
  fc.assert(
    fc.property(fc.nat(items.length - 1), harm, (at, change) => {
      const harmed = items.map((item, index) => (index === at ? { ...item, text: change(item.text) } : item));
      expect(codes({ items: harmed })).toEqual(['ITEM_CHANGED']);
    }),
  );
});

test('R13.4 2,000 records are judged in a few passes over them, and not in one pass for each', () => {
  let reads = 0;
  const many = Array.from({ length: 2_000 }, (_, k) => ({
    kind: 'change' as const,
    text: `f${k} (added)`,
    get id() {
      reads += 1;
      return `change/f${k}`;
    },
  }));
  const steps = Array.from({ length: 2_000 }, (_, k) => ({ step: k + 1, callIds: [`call_${k}`], observed: 1 }));
  const shown = makeProjection({ ...projection, items: many, itemTokens: 4_000, count });
  const retrieved = new Set(many.map(({ id }) => id));
  reads = 0;
  expect(validateProjection({ ...shown, uptoStep: 1_990 }, { ...facts, items: many, steps, retrieved })).toEqual({
    ok: true,
  });
  expect(reads).toBeLessThan(2_000 * 12);
});

test('R13.4 an item that stands twice, or points elsewhere, is noticed; so is a summary that no model finished', () => {
  const [goal] = items;
  expect(codes({ items: goal ? [...items, goal] : [] })).toEqual(['ITEM_INVENTED']);
  const astray = items.map((item) => (item.id === 'effect/s7.a0' ? { ...item, source: 's8.a0' } : item));
  expect(codes({ items: astray })).toEqual(['ITEM_CHANGED']);
  expect(codes({}, { finish: null })).toEqual(['SUMMARY_CUT']);
});
