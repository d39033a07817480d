import { type AttemptState, activeStates, attemptStates, endStates, reasons } from '../../../src/domain/attempt/states';
import { canMove, checkMove, IllegalMove, reasonTable, stateTable } from '../../../src/domain/attempt/table';

/** The moves as R2 and the design tell them, written from there and not from the table. `*` is any active state. */
const told = `
  CREATED > ASSEMBLING_CONTEXT
  CREATED > EXECUTING_TOOL              the one action of a compensation
  CREATED > WAITING_FOR_USER            the workspace cannot be prepared
  ASSEMBLING_CONTEXT > WAITING_FOR_MODEL
  ASSEMBLING_CONTEXT > COMPACTING
  ASSEMBLING_CONTEXT > FAILED
  WAITING_FOR_MODEL > DECIDING
  WAITING_FOR_MODEL > ASSEMBLING_CONTEXT the answer was of no use, and the model was told so
  WAITING_FOR_MODEL > COMPACTING        the view is too long for the model
  WAITING_FOR_MODEL > WAITING_FOR_USER  no model answers
  DECIDING > WAITING_FOR_APPROVAL
  DECIDING > EXECUTING_TOOL
  DECIDING > WAITING_FOR_USER
  DECIDING > COMPACTING
  DECIDING > VERIFYING
  DECIDING > ASSEMBLING_CONTEXT
  DECIDING > FAILED
  WAITING_FOR_APPROVAL > EXECUTING_TOOL
  WAITING_FOR_APPROVAL > DECIDING       it expired or was denied
  EXECUTING_TOOL > DECIDING
  EXECUTING_TOOL > ASSEMBLING_CONTEXT
  EXECUTING_TOOL > WAITING_FOR_APPROVAL
  EXECUTING_TOOL > WAITING_FOR_EFFECT
  EXECUTING_TOOL > RECONCILING
  EXECUTING_TOOL > WAITING_FOR_USER
  EXECUTING_TOOL > FAILED               loop detected
  WAITING_FOR_EFFECT > EXECUTING_TOOL
  WAITING_FOR_EFFECT > DECIDING
  WAITING_FOR_EFFECT > RECONCILING
  RECONCILING > EXECUTING_TOOL
  RECONCILING > DECIDING
  WAITING_FOR_USER > ASSEMBLING_CONTEXT
  WAITING_FOR_USER > CREATED            the workspace is prepared again
  COMPACTING > WAITING_FOR_MODEL        the same step is asked again
  COMPACTING > ASSEMBLING_CONTEXT
  COMPACTING > WAITING_FOR_USER         not even a projection without a model can be made
  VERIFYING > CANDIDATE_VERIFIED
  VERIFYING > NEEDS_REPAIR
  VERIFYING > WAITING_FOR_APPROVAL      a person is asked about the candidate
  VERIFYING > WAITING_FOR_USER
  VERIFYING > FAILED
  NEEDS_REPAIR > ASSEMBLING_CONTEXT
  CANDIDATE_VERIFIED > COMMITTING
  CANDIDATE_VERIFIED > COMPLETED
  CANDIDATE_VERIFIED > ASSEMBLING_CONTEXT
  COMMITTING > COMPLETED
  COMMITTING > ASSEMBLING_CONTEXT
  COMMITTING > NEEDS_REPAIR
  COMMITTING > WAITING_FOR_USER
  COMMITTING > FAILED
  SUSPENDED > CREATED
  SUSPENDED > ASSEMBLING_CONTEXT
  SUSPENDED > DECIDING
  SUSPENDED > EXECUTING_TOOL
  SUSPENDED > WAITING_FOR_APPROVAL
  SUSPENDED > WAITING_FOR_EFFECT
  SUSPENDED > RECONCILING
  SUSPENDED > WAITING_FOR_USER
  SUSPENDED > VERIFYING
  SUSPENDED > NEEDS_REPAIR
  SUSPENDED > COMMITTING
  CANCELLING > CANCELLED
  * > CANCELLING
  * > SUSPENDED
`;

/** Active states that make one of the two general moves under another name, or not at all. */
const exceptions = ['CANCELLING > CANCELLING', 'CANCELLING > SUSPENDED', 'SUSPENDED > SUSPENDED'];

function legalPairs(): ReadonlySet<string> {
  const pairs = told
    .split('\n')
    .map((line) => /^\s*(\S+) > (\S+)/.exec(line))
    .filter((found) => found !== null)
    .flatMap(([, from, to]) => (from === '*' ? activeStates.map((state) => `${state} > ${to}`) : [`${from} > ${to}`]));
  return new Set(pairs.filter((pair) => !exceptions.includes(pair)));
}

const everyPair = attemptStates.flatMap((from) => attemptStates.map((to) => [from, to] as const));
const legal = legalPairs();

test('R2.1 there are 16 active states and 3 ends, and each has a row', () => {
  expect(activeStates).toHaveLength(16);
  expect(endStates).toEqual(['COMPLETED', 'FAILED', 'CANCELLED']);
  expect(Object.keys(stateTable).sort()).toEqual([...attemptStates].sort());
});

test('R2.2 of the 361 pairs of states exactly the 91 that were told are moves', () => {
  expect(everyPair).toHaveLength(361);
  const moves = everyPair.filter(([from, to]) => canMove(from, to)).map(([from, to]) => `${from} > ${to}`);
  expect(new Set(moves)).toEqual(legal);
  expect(moves).toHaveLength(91);
});

test('R2.2 no row names a move twice', () => {
  for (const row of Object.values(stateTable)) expect(new Set(row.to).size).toBe(row.to.length);
});

test.each(everyPair)('R2.2 %s to %s passes or throws as told', (from, to) => {
  if (legal.has(`${from} > ${to}`)) expect(() => checkMove(from, to)).not.toThrow();
  else expect(() => checkMove(from, to)).toThrow(new IllegalMove(from, to));
});

test('R2.2 an illegal move is a plain error with both states, so it fails the task and not the attempt', () => {
  const error = new IllegalMove('COMPLETED', 'DECIDING');
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe('IllegalMove');
  expect(error.message).toBe('No move leads from COMPLETED to DECIDING');
  expect(error).not.toHaveProperty('nonRetryable');
});

test('R2.2 every state can be reached, and every active one can reach an end', () => {
  const reached = closure('CREATED');
  expect([...reached].sort()).toEqual([...attemptStates].sort());
  for (const state of activeStates) expect(endStates.some((end) => closure(state).has(end))).toBe(true);
});

test('R2.3 an end has no way out, and the three ends have no way into each other', () => {
  for (const end of endStates) expect(stateTable[end].to).toEqual([]);
});

test('R2.3 CANCELLED is reached through CANCELLING alone, COMPLETED only after a verified candidate', () => {
  expect(sourcesOf('CANCELLED')).toEqual(['CANCELLING']);
  expect(sourcesOf('COMPLETED')).toEqual(['CANDIDATE_VERIFIED', 'COMMITTING']);
  expect(sourcesOf('CANDIDATE_VERIFIED')).toEqual(['VERIFYING']);
});

test('R2.5 a verified candidate is not completed by being verified', () => {
  expect(canMove('VERIFYING', 'COMPLETED')).toBe(false);
  expect(canMove('DECIDING', 'COMPLETED')).toBe(false);
});

test('R2.3 each reason has one state and one exit code', () => {
  const expected: Record<string, [AttemptState, number]> = {
    success: ['COMPLETED', 0],
    failed: ['FAILED', 1],
    loop_detected: ['FAILED', 1],
    blocked: ['WAITING_FOR_USER', 3],
    refused: ['WAITING_FOR_USER', 3],
    turn_stopped: ['WAITING_FOR_USER', 3],
    waiting_for_user: ['WAITING_FOR_USER', 3],
    budget_exceeded: ['SUSPENDED', 3],
    suspended: ['SUSPENDED', 3],
    paused_for_approval: ['WAITING_FOR_APPROVAL', 3],
    waiting_for_effect: ['WAITING_FOR_EFFECT', 3],
    reconcile_required: ['RECONCILING', 3],
    cancelled: ['CANCELLED', 4],
    cancelled_effect_committed: ['CANCELLED', 4],
  };
  expect(reasons).toHaveLength(14);
  const found = Object.entries(reasonTable).map(([reason, { state, exitCode }]) => [reason, [state, exitCode]]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('R2.4 retry, billing, alert and the word on resume are what each state says they are', () => {
  const columns = Object.entries(stateTable).map(([state, row]) => {
    const flags = [row.retry ? 'retry' : '', row.billed ? 'billed' : '', row.alert, row.onResume ? 'told' : ''];
    return `${state} ${flags.filter((flag) => flag !== '' && flag !== 'none').join(' ')}`.trim();
  });
  expect(columns).toEqual([
    'CREATED retry',
    'ASSEMBLING_CONTEXT billed',
    'WAITING_FOR_MODEL retry billed',
    'DECIDING billed',
    'WAITING_FOR_APPROVAL notice told',
    'EXECUTING_TOOL retry billed',
    'WAITING_FOR_EFFECT told',
    'RECONCILING retry page told',
    'WAITING_FOR_USER notice told',
    'COMPACTING retry billed',
    'VERIFYING retry billed',
    'NEEDS_REPAIR billed',
    'CANDIDATE_VERIFIED billed',
    'COMMITTING retry billed',
    'SUSPENDED notice told',
    'CANCELLING',
    'COMPLETED',
    'FAILED notice',
    'CANCELLED',
  ]);
});

test('R2.4 nobody pays while the attempt waits for a person', () => {
  for (const { state } of Object.values(reasonTable)) expect(stateTable[state].billed).toBe(false);
});

function closure(from: AttemptState): ReadonlySet<AttemptState> {
  const seen = new Set<AttemptState>([from]);
  for (const state of seen) for (const next of stateTable[state].to) seen.add(next);
  return seen;
}

function sourcesOf(to: AttemptState): AttemptState[] {
  return attemptStates.filter((from) => canMove(from, to));
}
