import { RequestRefused } from '../../src/requests/request-refused';
import { databaseError, temporalError } from '../../src/requests/unreachable';

const url = 'postgres://me:hunter2@db.example:5432/ledger';
const target = { address: 'temporal.example:7233', namespace: 'team', connection: {} };
const coded = (message: string, code: string | number) => Object.assign(new Error(message), { code });

test.each([
  [coded('connect ECONNREFUSED 10.0.0.1:5432', 'ECONNREFUSED'), /cannot be reached: connect ECONNREFUSED/],
  [new Error('Connection terminated unexpectedly'), /cannot be reached/],
  [coded('the database system is starting up', '57P03'), /cannot be reached/],
  [coded('password authentication failed', '28P01'), /refuses the password/],
  [coded('database "ledger" does not exist', '3D000'), /does not exist/],
  [coded('relation "attempts" does not exist', '42P01'), /has no Holdfast ledger/],
  [coded('role "holdfast_app" does not exist', '22023'), /has no Holdfast ledger/],
])('a database that fails with "%s" is unreachable, names it, and shows no password', (error, expected) => {
  const told = databaseError(error, url);
  expect(told).toBeInstanceOf(RequestRefused);
  expect(told).toMatchObject({ code: 'unreachable', message: expect.stringMatching(expected) });
  expect(String(told)).toContain('db.example:5432/ledger');
  expect(JSON.stringify(told) + String(told)).not.toContain('hunter2');
});

test('a fault of our own SQL is not taken for an absent database', () => {
  const bug = coded('syntax error at or near "selekt"', '42601');
  expect(databaseError(bug, url)).toBe(bug);
});

test.each([
  [new Error('Failed to connect before the deadline')],
  [coded('14 UNAVAILABLE: No connection established', 14)],
  [coded('4 DEADLINE_EXCEEDED', 4)],
  [coded('16 UNAUTHENTICATED: bad key', 16)],
  [new Error('Failed to start Workflow', { cause: coded('14 UNAVAILABLE', 14) })],
])('Temporal that fails with "%s" is unreachable and names it', (error) => {
  expect(temporalError(error, target)).toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('temporal.example:7233'),
    next: expect.stringContaining('holdfast up'),
  });
});

test('any other error of Temporal stays what it is', () => {
  const error = coded('3 INVALID_ARGUMENT: workflow id too long', 3);
  expect(temporalError(error, target)).toBe(error);
});
