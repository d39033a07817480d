import type { Usage } from '../../../src/activities/ports';
import { isEnd } from '../../../src/domain/attempt/states';
import type { MemoryLedger } from '../memory/ledger';
import { isLive } from '../memory/reads';
import { type AttemptTables, type EventRecord, placeKey, type Tables } from '../memory/tables';
import type { Violations } from './violations';

/** What holds of every attempt once nothing of a schedule moves any more. */
export function checkLedger({ tables, now }: MemoryLedger, found: Violations): void {
  for (const own of tables.attempts.values()) {
    const name = own.head.row.ref.id;
    checkEnd(own, name, found);
    checkHistory(own, name, found);
    checkTries(own, name, found);
    checkProjections(own, name, found);
    checkMoney(own, name, found);
    checkMessages(own, name, found);
    for (const [n, execution] of own.executions)
      found.expect(!isLive(tables, execution, now()), 'R11.3', () => `${name}: move ${n} is still being worked on`);
  }
  checkEffects(tables, found);
  for (const { rule, what } of tables.faults) found.add(rule, what);
}

function checkEnd({ head, approvals }: AttemptTables, name: string, found: Violations): void {
  found.expect(head.row.ended && isEnd(head.row.state), 'M8', () => `${name} never ended: ${head.row.state}`);
  for (const { state, step, index } of approvals.values())
    found.expect(
      state !== 'open' && state !== 'granted',
      'R5.3',
      () => `${name} s${step}.a${index}: approval ${state}`,
    );
}

function checkHistory({ head, events, moves, observations, actions }: AttemptTables, name: string, found: Violations) {
  found.expect(events.size === head.sequence, 'R10.1', () => `${name}: ${events.size} events and ${head.sequence}`);
  let before = { move: 0, k: -1 };
  for (const { move, k, sequence } of events.values()) {
    const goesOn = move > before.move || (move === before.move && k > before.k);
    // What comes late is told in the name of its own move.
    found.expect(goesOn || move < head.sequence, 'M7', () => `${name}: event ${sequence} goes back`);
    before = { move, k };
  }
  checkPath([...events.values()], name, found);
  const last = Math.max(0, ...moves.keys());
  found.expect(moves.size === last, 'M1', () => `${name}: ${moves.size} answers, the last is ${last}`);
  const ends = [...events.values()].filter(({ type }) => type === 'ended').length;
  found.expect(ends === 1, 'M8', () => `${name} has ${ends} ends`);
  for (const { step, index } of actions.values()) {
    const needed = step < head.row.step || head.row.state === 'COMPLETED';
    found.expect(
      !needed || observations.has(placeKey(step, index)),
      'R13.4',
      () => `${name} s${step}.a${index}: no result`,
    );
  }
}

/** M7: every state that was passed is told once, in order. */
function checkPath(events: readonly EventRecord[], name: string, found: Violations): void {
  let at = 'CREATED';
  for (const { type, payload, sequence } of events) {
    if (type !== 'state_moved' || !('path' in payload)) continue;
    const [from] = payload.path;
    found.expect(from === at, 'M7', () => `${name}: event ${sequence} goes on from ${from}, and it was ${at}`);
    at = payload.path.at(-1) ?? at;
  }
}

function checkTries({ modelTries, toolTries }: AttemptTables, name: string, found: Violations): void {
  for (const row of modelTries.values())
    found.expect(row.close !== undefined, 'R6.2', () => `${name} s${row.step}.t${row.try}: a model try is open`);
  for (const row of toolTries.values())
    found.expect(row.close !== undefined, 'R6.2', () => `${name} s${row.step}.a${row.index}: a tool try is open`);
}

/** R13.4: each stands for as many steps as the one before, or more, and each that was installed was told. */
function checkProjections({ projections, events }: AttemptTables, name: string, found: Violations): void {
  let before = 0;
  for (const { ordinal, upto_step, step } of projections.values()) {
    const goesOn = upto_step >= before && upto_step < step;
    found.expect(goesOn, 'R13.4', () => `${name}: projection ${ordinal} stands for steps up to ${upto_step}`);
    before = upto_step;
  }
  const told = [...events.values()].filter(({ type }) => type === 'context_compacted').length;
  found.expect(told === projections.size, 'R13.4', () => `${name}: ${projections.size} projections, ${told} told`);
}

function checkMoney({ head, modelTries, turns }: AttemptTables, name: string, found: Violations): void {
  const { account } = head.row;
  const sum = (of: (usage: Usage) => number) =>
    [...modelTries.values()].reduce((total, { close }) => total + (close ? of(close.usage) : 0), 0);
  const tokens = sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens);
  const cost = sum(({ costMicroUsd }) => costMicroUsd);
  found.expect(account.tokens === tokens, 'R6.2', () => `${name}: ${account.tokens} tokens booked, ${tokens} used`);
  found.expect(account.costMicroUsd === cost, 'R6.2', () => `${name}: ${account.costMicroUsd} booked, ${cost} used`);
  const held = account.reservedTokens + account.reservedCostMicroUsd;
  found.expect(held === 0, 'R6.2', () => `${name}: ${held} is still held`);
  found.expect(
    account.turns === turns.size,
    'R6.1',
    () => `${name}: ${account.turns} turns booked, ${turns.size} taken`,
  );
}

function checkMessages({ inbox, inputs, moves }: AttemptTables, name: string, found: Violations): void {
  for (const { message, takenBy, disposition } of inbox.values()) {
    found.expect(takenBy !== null && disposition !== null, 'M8', () => `${name}: ${message.id} was left`);
    found.expect(takenBy === null || moves.has(takenBy), 'M4', () => `${name}: ${message.id} taken by no move`);
    const heard = [...inputs.values()].filter(({ body }) => body.messageId === message.id).length;
    const expected = message.kind === 'say' && disposition === 'taken' ? 1 : 0;
    found.expect(heard === expected, 'M4', () => `${name}: ${message.id} is ${heard} inputs`);
    const named = [...moves.values()].flatMap(({ answered }) => answered.named ?? []);
    found.expect(
      takenBy === null || named.some(({ id, as }) => id === message.id && as === disposition),
      'M4',
      () => `${name}: no answer names ${message.id}`,
    );
  }
}

function checkEffects({ effects }: Tables, found: Violations): void {
  const generations = new Map<string, number[]>();
  for (const [name, row] of effects) {
    const known = generations.get(`${row.tenant}/${row.key}`) ?? [];
    generations.set(`${row.tenant}/${row.key}`, [...known, row.generation]);
    found.expect(
      row.phase !== 'CLAIMED' && row.phase !== 'SENT' && row.phase !== 'UNKNOWN',
      'M8',
      () => `${name} is ${row.phase} at the end`,
    );
    if (row.phase === 'COMMITTED')
      found.expect(row.sentAt !== null && row.committedAt !== null, 'R4.2', () => `${name} has no times`);
    found.expect(row.settledBy !== null, 'E4', () => `${name} is settled by nobody`);
  }
  for (const [key, numbers] of generations) {
    const sorted = [...numbers].sort((a, b) => a - b);
    found.expect(
      sorted.every((generation, i) => generation === i + 1),
      'E1',
      () => `${key}: generations ${sorted}`,
    );
  }
}
