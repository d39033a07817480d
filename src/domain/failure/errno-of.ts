import { errorCode } from './error-code';

/** The errno of a failed system call (`ENOENT`), or undefined where the error carries none. */
export function errnoOf(error: unknown): string | undefined {
  const code = errorCode(error);
  return code !== undefined && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
