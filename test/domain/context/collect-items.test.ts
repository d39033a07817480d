import fc from 'fast-check';
import { collectItems } from '../../../src/domain/context/collect-items';
import { itemTextMax } from '../../../src/domain/context/items/item-line';
import { readPointer } from '../../../src/domain/context/pointer';
import { itemKinds, type ProtectedItem } from '../../../src/domain/context/protected-item';
import { effectPhases } from '../../../src/domain/effect/effect';
import { items, rows } from './sample';

const byId = (id: string, from: readonly ProtectedItem[] = items) => from.find((item) => item.id === id);

test('R13.2 every kind of protected item is made of rows, and each says where its original is', () => {
  expect(items).toEqual([
    { id: 'goal', kind: 'goal', text: 'Make `sum` add its arguments.' },
    { id: 'revision/0', kind: 'revision', text: 'Numbers may be strings of digits.' },
    { id: 'constraint/0', kind: 'constraint', text: 'Change no test.' },
    { id: 'constraint/1', kind: 'constraint', text: 'Forbidden: run_command' },
    { id: 'fact/tests', kind: 'fact', text: 'tests: not met when it was last checked: sum(1, 2) was 1' },
    {
      id: 'effect/s7.a0',
      kind: 'fact',
      text: 'refund on order-7 (rf_1) took effect: refunded 40',
      source: 's7.a0',
    },
    { id: 'promise/fix', kind: 'promise', text: '[>] fix: Correct it' },
    { id: 'promise/tell', kind: 'promise', text: '[ ] tell: Tell the user' },
    {
      id: 'effect/s8.a0',
      kind: 'block',
      text: 'refund on order-7 was sent and its outcome is not known: it may have taken effect',
      source: 's8.a0',
    },
    { id: 'block/s12.a1', kind: 'block', text: 'refund on order-9 waits for an approval', source: 's12.a1' },
    { id: 'change/src/sum.js', kind: 'change', text: 'src/sum.js (modified)', source: 's5.a0' },
    { id: 'change/src/new.js', kind: 'change', text: 'src/new.js (added)' },
    {
      id: 'failed/s41.a0',
      kind: 'failed',
      text: 'apply_patch failed 3 times: PATCH_CONFLICT: hunk 1 does not apply',
      source: 's41.a0',
    },
    {
      id: 'decision/s7.a0',
      kind: 'decision',
      text: 'refund on order-7 was approved by ann ("ok with me"), and sent',
      source: 's7.a0',
    },
    {
      id: 'decision/s3.a0',
      kind: 'decision',
      text: 'read_file was refused: POLICY_DENIED: no mail',
      source: 's3.a0',
    },
    {
      id: 'pointer/s1-s50',
      kind: 'pointer',
      text: 'Steps 1 to 50: read_file (37 times), apply_patch (13 times); 4 failed',
      source: 's1-s50',
    },
    {
      id: 'pointer/s51-s60',
      kind: 'pointer',
      text: 'Steps 51 to 60: read_file (8 times), apply_patch (2 times)',
      source: 's51-s60',
    },
  ]);
});

test('R13.2 an effect whose outcome nobody knows is a block; one that was never sent is no item', () => {
  const kinds = effectPhases.map((phase) => {
    const [effect] = rows.effects;
    const made = collectItems({ ...rows, effects: effect ? [{ ...effect, phase }] : [] });
    return [phase, byId('effect/s7.a0', made)?.kind];
  });
  expect(Object.fromEntries(kinds)).toEqual({
    CLAIMED: undefined,
    SENT: 'block',
    COMMITTED: 'fact',
    NOT_COMMITTED: 'fact',
    UNKNOWN: 'block',
    COMPENSATED: 'fact',
    COMPENSATION_FAILED: 'fact',
  });
});

test('R13.2 a refusal that a person gave is told once, in the words of the request', () => {
  const place = { step: 3, index: 0 };
  const denied = { ...place, tool: 'read_file', target: 'x', state: 'denied' as const };
  const made = collectItems({
    ...rows,
    approvals: [{ ...denied, answers: [{ by: 'bob', answer: 'deny', reason: 'not today' }] }],
  });
  expect(made.filter((item) => item.kind === 'decision')).toEqual([
    { id: 'decision/s3.a0', kind: 'decision', text: 'read_file on x was denied by bob ("not today")', source: 's3.a0' },
  ]);
});

test('R13.2 an observation that was cut to its ends, and is no JSON any more, still says why', () => {
  const call = { step: 1, index: 0, tool: 'mail', failure: { class: null, text: `{"ok":false,${'x'.repeat(9_000)}` } };
  const [item] = collectItems({ ...rows, calls: [call] }).filter(({ kind }) => kind === 'failed');
  expect(item?.text).toMatch(/^mail failed: \{"ok":false,x+…$/);
  expect(item?.text.length).toBeLessThan(itemTextMax + 50);
});

test('R12.3 what an ancestor left is carried along, and what the attempt knows itself takes its place', () => {
  const inherited: ProtectedItem[] = [
    { id: 'failed/fix-1/1/s3.a0', kind: 'failed', text: 'old', source: 'fix-1/1/s3.a0' },
    { id: 'change/src/sum.js', kind: 'change', text: 'older', source: 'fix-1/1/s2.a0' },
  ];
  const made = collectItems({ ...rows, inherited });
  expect(byId('failed/fix-1/1/s3.a0', made)).toEqual(inherited[0]);
  expect(byId('change/src/sum.js', made)?.text).toBe('src/sum.js (modified)');
  expect(made).toHaveLength(items.length + 1);
});

const anyCall = fc.record({
  step: fc.integer({ min: 1, max: 130 }),
  index: fc.nat(3),
  tool: fc.constantFrom('read_file', 'apply_patch', 'mail'),
  failure: fc.option(
    fc.record({ class: fc.constantFrom(null, 'tool_business' as const, 'policy_denied' as const), text: fc.string() }),
    { nil: undefined },
  ),
});

test('R13.2 whatever failed: ids are unique, kinds stand in order, sources are pointers, texts are bounded', () => {
  fc.assert(
    fc.property(fc.array(anyCall, { maxLength: 60 }), fc.nat(130), (found, upto) => {
      const seen = new Map(found.map(({ failure, ...call }) => [`${call.step}.${call.index}`, { ...call, failure }]));
      const calls = [...seen.values()]
        .sort((a, b) => a.step - b.step || a.index - b.index)
        .filter((call) => call.step <= upto)
        .map(({ failure, ...call }) => (failure ? { ...call, failure } : call));
      const made = collectItems({ ...rows, calls, uptoStep: upto });
      expect(new Set(made.map((item) => item.id)).size).toBe(made.length);
      const order = made.map((item) => itemKinds.indexOf(item.kind));
      expect(order).toEqual([...order].sort((a, b) => a - b));
      for (const { id, text, source } of made) {
        expect(readPointer(id)).toEqual({ to: 'item', id });
        if (source !== undefined) expect(readPointer(source)).toBeDefined();
        expect(text.length).toBeLessThan(itemTextMax + 100);
      }
      expect(collectItems({ ...rows, calls, uptoStep: upto })).toEqual(made);
    }),
  );
});

test('R13.2 of failures the newest stands last, so that it is the one with room', () => {
  const failure = (message: string) => ({
    class: null,
    text: JSON.stringify({ ok: false, error: { code: 'E', message } }),
  });
  const call = (step: number, message: string) => ({ step, index: 0, tool: 't', failure: failure(message) });
  const made = collectItems({ ...rows, calls: [call(1, 'a'), call(2, 'b'), call(3, 'a')] });
  expect(made.filter(({ kind }) => kind === 'failed').map(({ id }) => id)).toEqual(['failed/s2.a0', 'failed/s3.a0']);
});

test('R13.3 a pointer counts the calls of the steps that it names, and none after them', () => {
  const calls = [1, 2, 3].map((step) => ({ step, index: 0, tool: 't' }));
  expect(byId('pointer/s1-s2', collectItems({ ...rows, calls, uptoStep: 2 }))?.text).toBe('Steps 1 to 2: t (2 times)');
});

test('R3.4 a person’s word as a check that gives no feedback is no item, however long the question is; one on a call is', () => {
  const answered = (tool: string, target: string) => ({
    ...{ step: 4, index: tool === 'finish' ? 0 : 1, tool, target, state: 'denied' as const },
    answers: [{ by: 'ana', answer: 'deny' as const, reason: `MARKER of ${tool}` }],
  });
  const question = 'Is it so? '.repeat(90).trim();
  const approvals = [answered('finish', question), answered('refund', 'order:1')];
  const made = (repair?: false) => {
    const human = { id: 'wanted', check: 'human', question, ...(repair === false && { repair }) } as const;
    return JSON.stringify(collectItems({ ...rows, contract: { ...rows.contract, acceptance: [human] }, approvals }));
  };
  expect(made()).toContain('finish on Is it so?');
  expect(made(false)).not.toContain('finish on');
  expect(made(false)).toContain('MARKER of refund');
});

test('R3.4 of a check that gives no feedback nothing is an item, neither its own finding nor an inherited one', () => {
  const secret = { criterion: 'final', met: false, detail: 'MARKER' };
  const final = { id: 'final', check: 'command', run: 'npm run final' } as const;
  const withCheck = (repair?: false) => {
    const acceptance = [...rows.contract.acceptance, { ...final, ...(repair === false && { repair }) }];
    const contract = { ...rows.contract, acceptance };
    const inherited: ProtectedItem[] = [{ id: 'fact/final', kind: 'fact', text: 'final: MARKER of another' }];
    return [
      collectItems({ ...rows, contract, evidence: [...rows.evidence, secret] }),
      collectItems({ ...rows, contract, inherited }),
    ];
  };
  for (const made of withCheck()) expect(JSON.stringify(made)).toContain('MARKER');
  for (const made of withCheck(false)) {
    expect(JSON.stringify(made)).not.toContain('MARKER');
    expect(byId('fact/final', made)).toBeUndefined();
    expect(byId('fact/tests', made)).toBeDefined();
  }
});
