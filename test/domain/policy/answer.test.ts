import {
  type Answer,
  type AnswerFacts,
  type AskedRequest,
  judgeAnswer,
  requestMeant,
} from '../../../src/domain/policy/answer';

const request: AskedRequest = {
  action: 'refund/1/s1.a0',
  binding: 'abcdef0123456789',
  state: 'open',
  approvers: [],
  needed: 1,
  channel: 'asserted',
  expiresAt: 1_000,
  answers: [],
};
const yes: Answer = { answer: 'approve', by: 'ana', channel: 'asserted' };
const facts: AnswerFacts = { now: 999, principal: undefined, hasPrincipals: false, revoked: undefined };
const ana = { name: 'ana', roles: ['finance'] };

const why = (
  changed: Partial<AskedRequest> = {},
  given: Partial<Answer> = {},
  known: Partial<AnswerFacts> = {},
): string => {
  const judged = judgeAnswer({ ...request, ...changed }, { ...yes, ...given }, { ...facts, ...known });
  if (judged.kind !== 'refused') throw new Error(`It counted: ${judged.state}.`);
  return judged.why;
};

test('R5.3 a yes of anybody grants where nobody is configured, until the instant of expiry', () => {
  expect(judgeAnswer(request, yes, facts)).toEqual({ kind: 'counts', state: 'granted', left: 0 });
  expect(why({}, {}, { now: 1_000 })).toMatch(/expired.*try again/);
});

test('R5.3 an answer that names another binding is refused', () => {
  expect(why({}, { binding: 'other' })).toMatch(/another binding \(abcdef012345…\).*Look at it again/);
  expect(judgeAnswer(request, { ...yes, binding: request.binding }, facts).kind).toBe('counts');
});

test.each([
  ['granted', /approved already.*holdfast revoke --approval refund\/1\/s1\.a0/],
  ['denied', /denied already; only a new request/],
  ['expired', /expired/],
  ['voided', /withdrawn/],
  ['spent', /carried out.*holdfast effects/],
] as const)('R5.3 a request that is %s takes no answer', (state, words) => {
  expect(why({ state })).toMatch(words);
});

test('R5.5 one person counts once where two are needed, and two distinct ones grant', () => {
  const two = { ...request, needed: 2 };
  expect(judgeAnswer(two, yes, facts)).toEqual({ kind: 'counts', state: 'open', left: 1 });
  const answered = { needed: 2, answers: [{ by: 'ana', answer: 'approve' as const }] };
  expect(why(answered)).toBe('ana has answered this request already. Another person has to answer.');
  expect(judgeAnswer({ ...request, ...answered }, { ...yes, by: 'ben' }, facts)).toEqual({
    kind: 'counts',
    state: 'granted',
    left: 0,
  });
});

test('R5.5 one no denies, however many are needed', () => {
  const no: Answer = { ...yes, answer: 'deny' };
  expect(judgeAnswer({ ...request, needed: 2 }, no, facts)).toEqual({ kind: 'counts', state: 'denied', left: 0 });
});

test('R5.5 only those whom policy names may answer, by name or by role', () => {
  const byRole = { approvers: ['role:finance', 'eva'] };
  const known = { hasPrincipals: true, principal: ana };
  expect(judgeAnswer({ ...request, ...byRole }, yes, { ...facts, ...known }).kind).toBe('counts');
  expect(why(byRole, {}, { ...known, principal: { name: 'ana', roles: [] } })).toMatch(
    /Policy asks role:finance or eva, and ana is none of these/,
  );
  expect(judgeAnswer({ ...request, ...byRole }, { ...yes, by: 'eva' }, facts).kind).toBe('counts');
  expect(why(byRole)).toMatch(/ana is none of these/); // a role needs configuration to say who has it
});

test('R5.5 where principals are configured nobody else may answer', () => {
  expect(why({}, { by: 'mallory' }, { hasPrincipals: true })).toMatch(/names nobody as mallory.*"principals"/);
});

test('R5.5 an asserted answer does not do where the rule demands an authenticated one', () => {
  expect(why({ channel: 'authenticated' })).toMatch(/signed in.*gateway/);
  const judged = judgeAnswer({ ...request, channel: 'authenticated' }, { ...yes, channel: 'authenticated' }, facts);
  expect(judged.kind).toBe('counts');
});

test('R4.9 whoever was revoked answers nothing any more', () => {
  expect(why({}, {}, { revoked: 'left the company (revoked by ben).' })).toBe(
    'ana may answer nothing any more: left the company (revoked by ben). Somebody else has to.',
  );
});

test('R5.3 an answer means an action by its id; one without needs a binding and just one action that waits', () => {
  const meant = (given: Pick<Answer, 'actionId' | 'binding'>, named?: AskedRequest, waiting: AskedRequest[] = []) =>
    requestMeant(given, named, waiting);

  expect(meant({ actionId: request.action }, request)).toEqual({ request });
  expect(meant({ actionId: 'refund/1/s9.a9' })).toEqual({ why: expect.stringMatching(/s9\.a9 asks.*holdfast inbox/) });
  expect(meant({}, undefined, [request])).toEqual({ why: expect.stringMatching(/Say which action/) });
  expect(meant({ binding: 'b' }, undefined, [])).toEqual({ why: expect.stringMatching(/No action .* waits/) });
  expect(meant({ binding: 'b' }, undefined, [request, request])).toEqual({
    why: expect.stringMatching(/2 actions wait/),
  });
  expect(meant({ binding: 'b' }, undefined, [request])).toEqual({ request });
});
