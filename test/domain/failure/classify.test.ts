import { classifyErrno } from '../../../src/domain/failure/errno';
import { classifyCheck, classifyExit, type ProcessEnd } from '../../../src/domain/failure/exit';
import type { Failure } from '../../../src/domain/failure/failure';
import { classifyHttpStatus } from '../../../src/domain/failure/http-status';
import { classifyNetworkCode } from '../../../src/domain/failure/network-code';

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
