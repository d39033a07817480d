import type { Failure } from './failure';

/** The failure behind the errno of a file operation that a tool made (R8.2). */
export function classifyErrno(errno: string): Failure {
  return errnos.get(errno) ?? { class: 'unrecoverable', code: 'IO_ERROR' };
}

// A full disk is no business of the model: it pauses until somebody makes room.
// biome-ignore format: a table is read by its columns
const errnos: ReadonlyMap<string, Failure> = new Map(Object.entries({
  ENOENT:       { class: 'tool_business',  code: 'FILE_NOT_FOUND' },
  ENOTDIR:      { class: 'tool_business',  code: 'NOT_A_DIRECTORY' },
  EISDIR:       { class: 'tool_business',  code: 'IS_A_DIRECTORY' },
  EEXIST:       { class: 'tool_business',  code: 'FILE_EXISTS' },
  ENOTEMPTY:    { class: 'tool_business',  code: 'DIRECTORY_NOT_EMPTY' },
  EFBIG:        { class: 'tool_business',  code: 'FILE_TOO_LARGE' },
  EINVAL:       { class: 'tool_argument',  code: 'BAD_PATH' },
  ENAMETOOLONG: { class: 'tool_argument',  code: 'BAD_PATH' },
  ELOOP:        { class: 'tool_argument',  code: 'BAD_PATH' },
  EACCES:       { class: 'policy_denied',  code: 'ACCESS_DENIED' },
  EPERM:        { class: 'policy_denied',  code: 'ACCESS_DENIED' },
  EROFS:        { class: 'policy_denied',  code: 'ACCESS_DENIED' },
  EAGAIN:       { class: 'tool_transient', code: 'BUSY' },
  EBUSY:        { class: 'tool_transient', code: 'BUSY' },
  ETXTBSY:      { class: 'tool_transient', code: 'BUSY' },
  EMFILE:       { class: 'tool_transient', code: 'BUSY' },
  ENFILE:       { class: 'tool_transient', code: 'BUSY' },
  ENOSPC:       { class: 'unrecoverable',  code: 'DISK_FULL' },
  EDQUOT:       { class: 'unrecoverable',  code: 'DISK_FULL' },
}));
