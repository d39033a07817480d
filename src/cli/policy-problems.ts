import { relative } from 'node:path';
import type { PolicyProblem } from '../policy/rules/policy-problem';
import { paint } from './output';

/** A problem as editors know to open it: file, line, column, how bad it is, and what is wrong. */
export function problemLine({ severity, message, at }: PolicyProblem): string {
  const how = severity === 'error' ? paint('red', 'error') : paint('yellow', 'warning');
  return at === undefined ? `${how}: ${message}` : `${shortPath(at.file)}:${at.line}:${at.column}: ${how}: ${message}`;
}

/** From the folder that the command runs in, where that is shorter. */
export function shortPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') || path === '' ? file : path;
}
