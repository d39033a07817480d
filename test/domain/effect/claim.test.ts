import fc from 'fast-check';
import { type Claim, decideClaim } from '../../../src/domain/effect/claim';
import { type Effect, type EffectClass, effectClasses, effectPhases } from '../../../src/domain/effect/effect';

const mine = 'a'.repeat(64);
const effect = (change: Partial<Effect> = {}): Effect => ({
  key: 'refund/1042',
  generation: 1,
  attempt: 7,
  attemptId: 'refund/1',
  step: 1,
  index: 0,
  tool: 'refund',
  effectClass: 'deduplicated',
  target: 'order:1042',
  argsHash: mine,
  phase: 'SENT',
  fence: 1,
  owner: 'x',
  ownerLive: false,
  sentAt: new Date(1_000),
  resend: false,
  approval: null,
  committedAt: null,
  downstreamId: null,
  settledBy: null,
  outcome: null,
  authorization: { rule: 'all', policy: 'p' },
  ...change,
});
const kindFor = (own: Effect | undefined, newest = own, blocker?: Effect) =>
  decideClaim({ own, newest, blocker }, mine).kind;

test.each<[EffectClass, Claim['kind']]>([
  ['idempotent', 'resend'],
  ['deduplicated', 'resend'],
  ['probed', 'unknown'],
  ['unsafe', 'unknown'],
])('E5 what a dead owner left SENT: %s → %s', (effectClass, kind) => {
  expect(kindFor(effect({ effectClass }))).toBe(kind);
  expect(kindFor(effect({ effectClass, phase: 'UNKNOWN' }))).toBe(kind);
  expect(kindFor(effect({ effectClass, ownerLive: true }))).toBe('busy');
});

test('E6 a probed write is sent again where an authority permits it, and an unsafe one never', () => {
  expect(kindFor(effect({ effectClass: 'probed', phase: 'UNKNOWN', resend: true }))).toBe('resend');
  expect(kindFor(effect({ effectClass: 'unsafe', phase: 'UNKNOWN', resend: true }))).toBe('unknown');
});

test('E1 who finds no row takes the first generation; who finds a closed one takes the next', () => {
  expect(decideClaim({ own: undefined, newest: undefined, blocker: undefined }, mine)).toEqual({
    kind: 'take',
    generation: 1,
  });
  const closed = effect({ phase: 'NOT_COMMITTED', generation: 3 });
  expect(decideClaim({ own: undefined, newest: closed, blocker: undefined }, mine)).toEqual({
    kind: 'take',
    generation: 4,
  });
});

test('E2 a claim that was never sent goes on under its action, and can be taken from one that nobody works on', () => {
  const claimed = effect({ phase: 'CLAIMED', sentAt: null });
  expect(kindFor(claimed)).toBe('retake');
  expect(decideClaim({ own: undefined, newest: claimed, blocker: undefined }, mine)).toEqual({
    kind: 'take',
    generation: 2,
    release: claimed,
  });
  expect(kindFor(undefined, effect({ phase: 'CLAIMED', sentAt: null, ownerLive: true }))).toBe('busy');
});

test('R4.3 a settled key is known to the same arguments and refused to others', () => {
  const done = effect({ phase: 'COMMITTED' });
  expect(kindFor(undefined, done)).toBe('known');
  expect(kindFor(undefined, { ...done, argsHash: 'b'.repeat(64) })).toBe('conflict');
});

test('E7 nobody claims on a target while another effect on it is open', () => {
  const blocker = effect({ key: 'other', phase: 'UNKNOWN', sentAt: new Date(500) });
  expect(kindFor(undefined, undefined, blocker)).toBe('target_busy');
  expect(kindFor(effect({ phase: 'CLAIMED', sentAt: null }), undefined, blocker)).toBe('target_busy');
  expect(kindFor(undefined, effect({ phase: 'COMMITTED' }), blocker)).toBe('known');
});

test('E7 of two effects that are open on one target, one may always be sent again', () => {
  const time = fc.integer({ min: 0, max: 3 }).map((ms) => new Date(ms));
  fc.assert(
    fc.property(time, time, (first, second) => {
      const a = effect({ key: 'a', phase: 'UNKNOWN', sentAt: first });
      const b = effect({ key: 'b', phase: 'UNKNOWN', sentAt: second });
      const kinds = [kindFor(a, a, b), kindFor(b, b, a)];
      expect(kinds.toSorted()).toEqual(['resend', 'target_busy']);
    }),
  );
});

test('E5 whatever the rows say, only the action that sent something sends it again, and never an unsafe one', () => {
  const row = fc.record({
    phase: fc.constantFrom(...effectPhases),
    effectClass: fc.constantFrom(...effectClasses),
    ownerLive: fc.boolean(),
    resend: fc.boolean(),
    sentAt: fc.constantFrom(null, new Date(1_000)),
  });
  fc.assert(
    fc.property(row, fc.option(row), fc.boolean(), (newest, own, sameArgs) => {
      const ownEffect = own ? effect(own) : undefined;
      const claim = decideClaim(
        {
          own: ownEffect,
          newest: effect({ ...newest, argsHash: sameArgs ? mine : 'c'.repeat(64) }),
          blocker: undefined,
        },
        mine,
      );
      if (claim.kind === 'resend' || claim.kind === 'unknown') expect(claim.effect).toBe(ownEffect);
      if (claim.kind === 'resend') {
        expect(claim.effect.effectClass).not.toBe('unsafe');
        expect(['SENT', 'UNKNOWN']).toContain(claim.effect.phase);
      }
    }),
  );
});
