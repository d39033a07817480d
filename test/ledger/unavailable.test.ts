import { LedgerUnavailableError } from '../../src/activities/ledger-port';
import { ledgerError } from '../../src/ledger/unavailable';

const error = (fields: object) => Object.assign(new Error('words'), fields);

test.each([
  ['a connection that was lost', error({ code: '08006', severity: 'FATAL' }), true],
  ['a server that shuts down', error({ code: '57P01', severity: 'FATAL' }), true],
  ['a server that starts', error({ code: '57P03', severity: 'FATAL' }), true],
  ['no slot', error({ code: '53300', severity: 'FATAL' }), true],
  ['a full disk, on which somebody makes room', error({ code: '53100', severity: 'ERROR' }), true],
  ['a transaction that stood still', error({ code: '25P03', severity: 'FATAL' }), true],
  ['nobody who listens', error({ code: 'ECONNREFUSED' }), true],
  ['a connection that ended under a query', new Error('Connection terminated unexpectedly'), true],
  ['a deadlock, which is a bug', error({ code: '40P01', severity: 'ERROR' }), false],
  ['a syntax error', error({ code: '42601', severity: 'ERROR' }), false],
  ['a row that is there already', error({ code: '23505', severity: 'ERROR' }), false],
  ['a bug', new TypeError('x is not a function'), false],
  ['no error at all', 'ECONNREFUSED', false],
])('R8.2 %s: whether the ledger is only away is told from the facts of the driver', (_, thrown, isAway) => {
  const mapped = ledgerError(thrown);
  expect(mapped instanceof LedgerUnavailableError).toBe(isAway);
  if (!isAway) expect(mapped).toBe(thrown);
});
