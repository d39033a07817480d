import { STATUS_CODES } from 'node:http';

/** An error as RFC 9457 has it; `next` says what can be done. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly next?: string;
  /** Where the request is wrong: a path into it, and why. */
  readonly errors?: readonly { readonly at: string; readonly why: string }[];
}

/** Each with the status that says so; the names are the last part of `type`, which programs may rely on. */
const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  refused_by_policy: 403,
  not_allowed: 403,
  not_found: 404,
  ambiguous: 409,
  ended: 409,
  not_pending: 409,
  rejected: 409,
  other_contract: 409,
  seal_broken: 409,
  under_way: 409,
  too_large: 413,
  misdirected: 421,
  another_request: 422,
  too_many: 429,
  fault: 500,
  no_model: 503,
  no_worker: 503,
  unreachable: 503,
} as const;
export type ProblemName = keyof typeof statusOf;

/** Thrown where a request comes to no other answer. `message` is written for whoever asked. */
export class Problem extends Error {
  constructor(
    readonly problem: ProblemName,
    message: string,
    readonly more: Pick<ProblemDocument, 'next' | 'errors'> = {},
  ) {
    super(message);
    this.name = 'Problem';
  }

  get status(): number {
    return statusOf[this.problem];
  }

  document(): ProblemDocument {
    const { status } = this;
    return {
      type: `urn:holdfast:problem:${this.problem}`,
      title: STATUS_CODES[status] ?? 'Error',
      status,
      detail: this.message,
      ...this.more,
    };
  }
}

export const problemType = 'application/problem+json; charset=utf-8';
