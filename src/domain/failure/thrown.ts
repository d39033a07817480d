import { classifyErrno } from './errno';
import { errorCode } from './error-code';
import type { Failure } from './failure';
import { classifyNetworkCode } from './network-code';
import { classifySqlState } from './sql-state';
import { classifyToolStatus } from './tool-status';

/** Errors wrap each other: a client's own around the system's. Deeper ones are no cause of this call. */
const causesMax = 5;

/**
 * The failure behind what a tool threw that sent nothing, by the typed facts that drivers and clients put on their errors
 * (R8.2): SQLSTATE, code of the connection, errno, HTTP status. Of several in a chain of causes the outermost counts; undefined
 * where there is none, which is a fault of the tool itself. By shape and not by class, for an error may come from another realm.
 */
export function classifyThrown(error: unknown): Failure | undefined {
  let link: unknown = error;
  for (let depth = 0; isObject(link) && depth < causesMax; depth += 1) {
    const failure = ofLink(link);
    if (failure) return failure;
    link = Reflect.get(link, 'cause');
  }
  return undefined;
}

function ofLink(link: object): Failure | undefined {
  const code = errorCode(link);
  // PostgreSQL sends a severity with each code; an errno has five letters as well.
  if (code !== undefined && typeof Reflect.get(link, 'severity') === 'string') return classifySqlState(code);
  const network = code === undefined ? undefined : classifyNetworkCode(code, 'tool');
  if (network) return network;
  if (code !== undefined && typeof Reflect.get(link, 'syscall') === 'string') return classifyErrno(code);
  if (Reflect.get(link, 'name') === 'TimeoutError') return { class: 'tool_transient', code: 'TIMEOUT' };
  const status = statusOf(link) ?? statusOf(Reflect.get(link, 'response'));
  return status === undefined ? undefined : classifyToolStatus(status);
}

/** As HTTP clients say it; a code of success says nothing about a failure. */
function statusOf(link: unknown): number | undefined {
  if (!isObject(link)) return undefined;
  const said = [Reflect.get(link, 'status'), Reflect.get(link, 'statusCode')];
  return said.find((status): status is number => Number.isInteger(status) && status >= 400 && status <= 599);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
