import { sendWindowMs } from '../../../src/activities/effects/send';
import type { MemoryLedger } from '../memory/ledger';
import { type AttemptTables, type EffectRecord, placeKey } from '../memory/tables';
import type { Outside, Request } from '../outside/outside';
import { approvers, neededOf } from '../outside/policy';
import type { WriteArgs } from '../outside/tools';
import type { Violations } from './violations';

/** What the ledger says of the world outside is what is so there (R4, R5). */
export function checkOutside(ledger: MemoryLedger, outside: Outside, found: Violations): void {
  const { effects } = ledger.tables;
  for (const [key, row] of effects) checkRow(key, row, outside, found);
  for (const { key } of outside.applied)
    found.expect(effects.has(key), 'R4.2', () => `${key} took effect and is in no ledger`);
  checkOperations(outside.applied, found);
  checkUnsafe(ledger, outside, found);
  for (const own of ledger.tables.attempts.values()) checkObservations(ledger, own, outside, found);
  for (const row of effects.values()) checkApproval(ledger, row, outside, found);
}

function checkRow(key: string, row: EffectRecord, { applied }: Outside, found: Violations): void {
  const times = applied.filter((request) => request.key === key).length;
  const expected = row.phase === 'NOT_COMMITTED' ? 0 : 1;
  if (row.phase === 'SENT' || row.phase === 'UNKNOWN' || row.phase === 'CLAIMED') {
    found.expect(times <= 1, 'R4.4', () => `${key} took effect ${times} times`);
    return;
  }
  found.expect(
    times === expected,
    times > 1 ? 'R4.4' : 'R4.5',
    () => `${key} is ${row.phase} by ${row.settledBy} and took effect ${times} times`,
  );
}

/** R4.4: what the business would call twice the same. */
function checkOperations(applied: readonly Request[], found: Violations): void {
  for (const { operation } of applied) {
    const times = applied.filter((request) => request.operation === operation).length;
    found.expect(times === 1, 'R4.4', () => `${operation} took effect ${times} times`);
  }
}

/** R4.6: a second send of an unsafe write needs a person, a refusal, or the certainty that the first was none. */
function checkUnsafe({ tables }: MemoryLedger, { requests }: Outside, found: Violations): void {
  const unsafe = requests.filter(({ effectClass }) => effectClass === 'unsafe');
  for (const { key, operation, number } of unsafe) {
    const twice = unsafe.some((other) => other.key === key && other.number < number);
    found.expect(!twice, 'R4.6', () => `${key} was sent again`);
    for (const earlier of unsafe.filter((other) => other.operation === operation && other.number < number)) {
      const row = tables.effects.get(earlier.key);
      found.expect(
        row?.phase === 'NOT_COMMITTED',
        'R4.6',
        () => `${key} was sent although ${earlier.key} is ${row?.phase}`,
      );
    }
  }
}

/** R4.1, R4.3: an action that is said to have succeeded did what it was asked for, once, by whosever hand. */
function checkObservations(ledger: MemoryLedger, own: AttemptTables, { applied }: Outside, found: Violations): void {
  for (const { step, index, tool, args, effect } of own.actions.values()) {
    const seen = own.observations.get(placeKey(step, index));
    if (!seen?.ok || effect === 'none' || !('text' in args)) continue;
    const { id, amount } = JSON.parse(args.text) as WriteArgs;
    const name = `${own.head.row.ref.id} s${step}.a${index}`;
    const mine = (request: Request) => {
      const row = ledger.tables.effects.get(request.key);
      return row?.attempt === own.head.row.ref.key && row.step === step && row.index === index;
    };
    const did = applied.filter((request) => (id === undefined ? mine(request) : request.operation === `${tool}/${id}`));
    found.expect(did.length === 1, 'R4.4', () => `${name} succeeded and took effect ${did.length} times`);
    found.expect(
      did.every((request) => request.args['amount'] === amount),
      'R4.3',
      () => `${name} succeeded with ${amount}, and what took effect has another amount`,
    );
  }
}

/** R5.3, E8: what needed approval was sent under an approval that had all its answers. */
function checkApproval({ tables }: MemoryLedger, row: EffectRecord, { requests }: Outside, found: Violations): void {
  const key = [...tables.effects].find(([, other]) => other === row)?.[0] ?? '';
  const sent = requests.filter((request) => request.key === key);
  const own = tables.attempts.get(row.attempt);
  const [first] = sent;
  if (!first || !own) return;
  const needed = neededOf(Number(first.args['amount']));
  if (needed === 0) return;
  const [approvalKey, approval] =
    [...own.approvals].find(
      ([, { step, index, ordinal }]) => step === row.step && index === row.index && ordinal === row.approval,
    ) ?? [];
  const answers = [...own.answers.values()]
    .filter(({ approval: of }) => of === approvalKey)
    .map(({ answer }) => answer);
  const yes = new Set(
    answers.filter(({ answer, by }) => answer === 'approve' && approvers.includes(by)).map(({ by }) => by),
  );
  found.expect(
    approval?.state === 'spent' && yes.size >= needed && answers.every(({ answer }) => answer === 'approve'),
    'R5.3',
    () => `${key} was sent under an approval that is ${approval?.state} with ${yes.size} of ${needed} answers`,
  );
}

/** What is seen at the moment of a send (E3, E8, R11.3). */
export function checkSend(
  { tables }: MemoryLedger,
  revokedAt: (row: EffectRecord) => number | undefined,
  request: Request,
  found: Violations,
): void {
  const row = tables.effects.get(request.key);
  found.expect(row !== undefined && row.sentAt !== null, 'E3', () => `${request.key} is sent before SENT is committed`);
  if (!row) return;
  const attempt = tables.attempts.get(row.attempt);
  found.expect(!attempt?.head.row.ended, 'R11.3', () => `${request.key} is sent after its attempt ended`);
  const at = revokedAt(row);
  found.expect(
    at === undefined || at >= request.atMs - sendWindowMs,
    'E8',
    () => `${request.key} is sent although it was revoked`,
  );
}
