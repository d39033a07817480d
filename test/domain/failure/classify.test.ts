import { classifyErrno } from '../../../src/domain/failure/errno';
import { classifyCheck, classifyExit, type ProcessEnd } from '../../../src/domain/failure/exit';
import type { Failure } from '../../../src/domain/failure/failure';
import { classifyHttpStatus } from '../../../src/domain/failure/http-status';
import { classifyNetworkCode } from '../../../src/domain/failure/network-code';
import { isRefusalReason, refusals } from '../../../src/domain/failure/refusals';
import { classifySqlState } from '../../../src/domain/failure/sql-state';
import { classifyThrown } from '../../../src/domain/failure/thrown';
import { classifyToolStatus } from '../../../src/domain/failure/tool-status';

const words = (failure: Failure | undefined) => failure && `${failure.class} ${failure.code}`;

test.each([
  [400, 'unrecoverable BAD_REQUEST'],
  [401, 'unrecoverable UNAUTHORIZED'],
  [402, 'unrecoverable QUOTA_EXCEEDED'],
  [403, 'unrecoverable UNAUTHORIZED'],
  [404, 'unrecoverable MODEL_NOT_FOUND'],
  [408, 'model_transient REQUEST_TIMEOUT'],
  [409, 'model_transient CONFLICT'],
  [413, 'model_semantic CONTEXT_OVERFLOW'],
  [422, 'unrecoverable BAD_REQUEST'],
  [429, 'model_transient RATE_LIMITED'],
  [500, 'model_transient SERVER_ERROR'],
  [502, 'model_transient SERVER_ERROR'],
  [503, 'model_transient OVERLOADED'],
  [529, 'model_transient OVERLOADED'],
  [599, 'model_transient SERVER_ERROR'],
  [302, 'unrecoverable UNEXPECTED_STATUS'],
  [600, 'unrecoverable UNEXPECTED_STATUS'],
])('R8.2 a model that answers %i failed as %s', (status, expected) => {
  expect(words(classifyHttpStatus(status))).toBe(expected);
});

test.each([
  [400, 'context_length_exceeded', 'model_semantic CONTEXT_OVERFLOW'],
  [400, 'invalid_request_error', 'unrecoverable BAD_REQUEST'],
  [429, 'insufficient_quota', 'unrecoverable QUOTA_EXCEEDED'],
  [429, 'rate_limit_exceeded', 'model_transient RATE_LIMITED'],
])('R8.2 %i with the code %s is %s', (status, code, expected) => {
  expect(words(classifyHttpStatus(status, code))).toBe(expected);
});

test('R8.2 the connection of a model and of a tool fail in their own class', () => {
  expect(words(classifyNetworkCode('ECONNRESET', 'model'))).toBe('model_transient CONNECTION_LOST');
  expect(words(classifyNetworkCode('ECONNRESET', 'tool'))).toBe('tool_transient CONNECTION_LOST');
  expect(words(classifyNetworkCode('ECONNREFUSED', 'model'))).toBe('model_transient CONNECTION_REFUSED');
  expect(words(classifyNetworkCode('EAI_AGAIN', 'model'))).toBe('model_transient NAME_NOT_RESOLVED');
  expect(words(classifyNetworkCode('ETIMEDOUT', 'model'))).toBe('model_transient CONNECTION_TIMEOUT');
});

test('R8.2 a certificate that is refused does not pass by waiting', () => {
  expect(words(classifyNetworkCode('CERT_HAS_EXPIRED', 'model'))).toBe('unrecoverable TLS_REFUSED');
});

test.each(['ENOENT', 'constructor', '__proto__', ''])('R8.2 %p says nothing about the network', (code) => {
  expect(classifyNetworkCode(code, 'model')).toBeUndefined();
});

test.each([
  ['ENOENT', 'tool_business FILE_NOT_FOUND'],
  ['ENOTDIR', 'tool_business NOT_A_DIRECTORY'],
  ['EISDIR', 'tool_business IS_A_DIRECTORY'],
  ['EEXIST', 'tool_business FILE_EXISTS'],
  ['ENOTEMPTY', 'tool_business DIRECTORY_NOT_EMPTY'],
  ['EFBIG', 'tool_business FILE_TOO_LARGE'],
  ['EINVAL', 'tool_argument BAD_PATH'],
  ['ENAMETOOLONG', 'tool_argument BAD_PATH'],
  ['ELOOP', 'tool_argument BAD_PATH'],
  ['EACCES', 'policy_denied ACCESS_DENIED'],
  ['EPERM', 'policy_denied ACCESS_DENIED'],
  ['EROFS', 'policy_denied ACCESS_DENIED'],
  ['EBUSY', 'tool_transient BUSY'],
  ['EMFILE', 'tool_transient BUSY'],
  ['ENOSPC', 'unrecoverable DISK_FULL'],
  ['EDQUOT', 'unrecoverable DISK_FULL'],
  ['EIO', 'unrecoverable IO_ERROR'],
  ['constructor', 'unrecoverable IO_ERROR'],
])('R8.2 %s of a file operation is %s', (errno, expected) => {
  expect(words(classifyErrno(errno))).toBe(expected);
});

const exited = (exitCode: number): ProcessEnd => ({ end: 'exited', exitCode });
const ended = (end: 'signalled' | 'timed_out' | 'not_started'): ProcessEnd => ({ end, exitCode: null });

test.each([
  [exited(0), undefined, undefined],
  [exited(1), 'tool_business COMMAND_FAILED', 'verification_failure CHECK_FAILED'],
  [exited(126), 'tool_business COMMAND_NOT_FOUND', 'environment_drift CHECK_NOT_STARTED'],
  [exited(127), 'tool_business COMMAND_NOT_FOUND', 'environment_drift CHECK_NOT_STARTED'],
  [exited(128), 'tool_business COMMAND_FAILED', 'verification_failure CHECK_FAILED'],
  [ended('signalled'), 'tool_business COMMAND_KILLED', 'verification_failure CHECK_KILLED'],
  [ended('timed_out'), 'tool_business COMMAND_TIMED_OUT', 'verification_failure CHECK_TIMED_OUT'],
  [ended('not_started'), 'environment_drift NOT_STARTED', 'environment_drift CHECK_NOT_STARTED'],
])('R8.2 %j is %s as a command and %s as a check', (process, command, check) => {
  expect(words(classifyExit(process))).toBe(command);
  expect(words(classifyCheck(process))).toBe(check);
});

test.each([
  ['08006', 'tool_transient DATABASE_AWAY'],
  ['57P01', 'tool_transient DATABASE_AWAY'],
  ['57P03', 'tool_transient DATABASE_AWAY'],
  ['25P03', 'tool_transient DATABASE_AWAY'],
  ['53200', 'tool_transient DATABASE_BUSY'],
  ['53300', 'tool_transient DATABASE_BUSY'],
  ['53100', 'unrecoverable DISK_FULL'],
  ['40001', 'tool_transient TRANSACTION_LOST'],
  ['40P01', 'tool_transient TRANSACTION_LOST'],
  ['55P03', 'tool_transient BUSY'],
  ['57014', 'tool_business QUERY_CANCELLED'],
  ['28P01', 'unrecoverable CREDENTIALS_REFUSED'],
  ['3D000', 'unrecoverable NO_DATABASE'],
  ['58030', 'unrecoverable DATABASE_FAULT'],
  ['XX000', 'unrecoverable DATABASE_FAULT'],
  ['42501', 'policy_denied ACCESS_DENIED'],
  ['25006', 'policy_denied READ_ONLY'],
  ['23505', 'state_conflict ALREADY_THERE'],
  ['23503', 'state_conflict REFERENCE_MISSING'],
  ['23502', 'tool_argument BAD_VALUE'],
  ['22P02', 'tool_argument BAD_VALUE'],
  ['42601', 'tool_argument BAD_QUERY'],
  ['42P01', 'tool_argument BAD_QUERY'],
  ['0A000', 'tool_argument NOT_SUPPORTED'],
  ['P0001', 'tool_business DATABASE_ERROR'],
  ['25001', 'tool_business DATABASE_ERROR'],
  ['', undefined],
  ['ENOENT', undefined],
  ['constructor', undefined],
])('R8.2 SQLSTATE %p is %s', (state, expected) => {
  expect(words(classifySqlState(state))).toBe(expected);
});

test.each([
  [400, 'tool_argument BAD_REQUEST'],
  [401, 'unrecoverable CREDENTIALS_REFUSED'],
  [403, 'unrecoverable CREDENTIALS_REFUSED'],
  [402, 'unrecoverable QUOTA_EXCEEDED'],
  [404, 'tool_business NOT_FOUND'],
  [409, 'state_conflict CONFLICT'],
  [412, 'state_conflict CONFLICT'],
  [413, 'tool_argument TOO_LARGE'],
  [418, 'tool_business REQUEST_REFUSED'],
  [422, 'tool_argument BAD_REQUEST'],
  [423, 'tool_transient BUSY'],
  [429, 'tool_transient RATE_LIMITED'],
  [451, 'policy_denied ACCESS_DENIED'],
  [500, 'tool_transient SERVER_ERROR'],
  [501, 'tool_business NOT_SUPPORTED'],
  [503, 'tool_transient SERVER_ERROR'],
  [302, 'tool_business UNEXPECTED_STATUS'],
])('R8.2 a system that answers a tool %i failed as %s', (status, expected) => {
  expect(words(classifyToolStatus(status))).toBe(expected);
});

const facts = (fields: object) => Object.assign(new Error('words that nobody reads: ENOSPC 401 28P01'), fields);
const wrapped = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : facts({ cause: wrapped(depth - 1, inner) });

test.each([
  ['words alone', facts({}), undefined],
  ['no error at all', 'ECONNREFUSED', undefined],
  ['null', null, undefined],
  ['a connection', facts({ code: 'ECONNREFUSED', syscall: 'connect' }), 'tool_transient CONNECTION_REFUSED'],
  ["fetch's own words around it", wrapped(1, facts({ code: 'UND_ERR_SOCKET' })), 'tool_transient CONNECTION_LOST'],
  ['a certificate', facts({ code: 'CERT_HAS_EXPIRED' }), 'unrecoverable TLS_REFUSED'],
  ['a system call', facts({ code: 'ENOSPC', syscall: 'write', errno: -28 }), 'unrecoverable DISK_FULL'],
  ['a code that is no errno', facts({ code: 'ERR_INVALID_ARG_TYPE' }), undefined],
  ['an errno without a system call', facts({ code: 'ENOENT' }), undefined],
  ['a database', facts({ code: '28P01', severity: 'FATAL' }), 'unrecoverable CREDENTIALS_REFUSED'],
  ['a SQLSTATE that looks like an errno', facts({ code: 'EPIPE', severity: 'ERROR' }), 'tool_business DATABASE_ERROR'],
  ['a time limit of its own', facts({ name: 'TimeoutError' }), 'tool_transient TIMEOUT'],
  ['a status', facts({ status: 409 }), 'state_conflict CONFLICT'],
  ['a status by its other name', facts({ statusCode: 429 }), 'tool_transient RATE_LIMITED'],
  ['the status of a response', facts({ response: { status: 401 } }), 'unrecoverable CREDENTIALS_REFUSED'],
  ['a status of success', facts({ status: 200 }), undefined],
  ['a status that is none', facts({ status: '401' }), undefined],
  [
    'the outermost of several',
    facts({ status: 401, cause: facts({ code: 'ECONNRESET' }) }),
    'unrecoverable CREDENTIALS_REFUSED',
  ],
  ['one too deep', wrapped(5, facts({ status: 401 })), undefined],
])('R8.2 what a tool threw is judged by its facts and not by its words: %s', (_, error, expected) => {
  expect(words(classifyThrown(error))).toBe(expected);
});

test('R8.2 an error that causes itself is looked at to an end', () => {
  const loop: { cause?: unknown } = facts({});
  loop.cause = loop;
  expect(classifyThrown(loop)).toBeUndefined();
});

test('R8.2 each word of a refusal has a class, and any other is none', () => {
  expect(Object.entries(refusals).map(([word, { class: kind }]) => `${word} ${kind}`)).toEqual([
    'business tool_business',
    'argument tool_argument',
    'conflict state_conflict',
    'credentials unrecoverable',
    'busy tool_transient',
  ]);
  for (const word of ['constructor', '', 1, null, undefined, 'Conflict']) expect(isRefusalReason(word)).toBe(false);
});
