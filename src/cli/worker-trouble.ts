import { z } from 'zod';
import { excerpt } from '../requests/words/words';

const messageLength = 200;
/** pino's number for `warn`; what is below is no trouble. */
const warnLevel = 40;

const entry = z.object({
  level: z.number().min(warnLevel),
  msg: z.string(),
  activityType: z.string().optional(),
  workflowId: z.string().optional(),
  error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]).optional(),
});

/** A line of the worker's log as a line for the terminal of `up`, where it tells of trouble. */
export function workerTrouble(line: string): string | undefined {
  const parsed = entry.safeParse(jsonOrUndefined(line));
  if (!parsed.success) return undefined;
  const { msg, activityType, workflowId, error } = parsed.data;
  const of = [activityType, workflowId && `of ${workflowId.replace(/^attempt\//, '')}`].filter(Boolean).join(' ');
  return excerpt(`${of === '' ? '' : `${of}: `}${msg}${error === undefined ? '' : `: ${error}`}`, messageLength);
}

/** Other programs and a worker that dies write plain text to the same file. */
function jsonOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
