import type { Failure } from './failure';

/** The failure behind the HTTP status of a system that a tool asked (R8.2). Of a write it says nothing about the effect. */
export function classifyToolStatus(status: number): Failure {
  const known = statuses[status];
  if (known) return known;
  if (status >= 500 && status <= 599) return { class: 'tool_transient', code: 'SERVER_ERROR' };
  if (status >= 400 && status <= 499) return { class: 'tool_business', code: 'REQUEST_REFUSED' };
  return { class: 'tool_business', code: 'UNEXPECTED_STATUS' };
}

// biome-ignore format: a table is read by its columns
const statuses: Readonly<Record<number, Failure>> = {
  400: { class: 'tool_argument',  code: 'BAD_REQUEST' },
  401: { class: 'unrecoverable',  code: 'CREDENTIALS_REFUSED' },
  402: { class: 'unrecoverable',  code: 'QUOTA_EXCEEDED' },
  403: { class: 'unrecoverable',  code: 'CREDENTIALS_REFUSED' },
  404: { class: 'tool_business',  code: 'NOT_FOUND' },
  405: { class: 'tool_business',  code: 'NOT_SUPPORTED' },
  407: { class: 'unrecoverable',  code: 'CREDENTIALS_REFUSED' },
  408: { class: 'tool_transient', code: 'REQUEST_TIMEOUT' },
  409: { class: 'state_conflict', code: 'CONFLICT' },
  410: { class: 'tool_business',  code: 'NOT_FOUND' },
  412: { class: 'state_conflict', code: 'CONFLICT' },
  413: { class: 'tool_argument',  code: 'TOO_LARGE' },
  414: { class: 'tool_argument',  code: 'TOO_LARGE' },
  415: { class: 'tool_argument',  code: 'BAD_REQUEST' },
  422: { class: 'tool_argument',  code: 'BAD_REQUEST' },
  423: { class: 'tool_transient', code: 'BUSY' },
  425: { class: 'tool_transient', code: 'BUSY' },
  428: { class: 'state_conflict', code: 'CONFLICT' },
  429: { class: 'tool_transient', code: 'RATE_LIMITED' },
  431: { class: 'tool_argument',  code: 'TOO_LARGE' },
  451: { class: 'policy_denied',  code: 'ACCESS_DENIED' },
  501: { class: 'tool_business',  code: 'NOT_SUPPORTED' },
  505: { class: 'tool_business',  code: 'NOT_SUPPORTED' },
};
