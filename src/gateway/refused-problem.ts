import type { RequestRefused } from '../requests/request-refused';
import { Problem } from './problem';

/** The same refusal over HTTP; its code is the name of the problem. Hints are the command line's, which says the same things. */
export const refusedProblem = ({ code, message, next }: RequestRefused): Problem =>
  new Problem(code, message, next === undefined ? {} : { next });
