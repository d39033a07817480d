import pino, { type LevelWithSilent, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Keys under which a secret could be logged by mistake; their values are replaced (R10.4). */
const secretKeys = ['apiKey', 'authorization', 'password', 'token', 'databaseUrl'];

/** One log for the process, on standard error: JSON lines in a pipe, readable lines on a terminal. */
export function createLogger(level: LevelWithSilent, name: string): Logger {
  const options = {
    name,
    level,
    // The SDK puts what an activity threw under `error`; an Error has no fields of its own, and JSON would show `{}`.
    serializers: { error: pino.stdSerializers.err },
    redact: { paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '(secret)' },
  };
  // Synchronous, so that the last words of a process that is killed are there.
  if (process.stderr.isTTY) return pino(options, pretty({ destination: 2, sync: true, ignore: 'pid,hostname' }));
  return pino(options, pino.destination({ dest: 2, sync: true }));
}
