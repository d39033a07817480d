import { hostAllowed } from './host-allowed';
import { pathWithin } from './path-within';
import type { Constraint } from './policy';

/** What a tool lets the runtime see of a call, so that the call can be held to a limit. */
export interface Enforcers {
  readonly paths?: (args: never) => readonly string[];
  readonly hosts?: (args: never) => readonly string[];
  readonly readOnlyRole?: true;
}
export interface ConstrainedCall {
  readonly enforcers: Enforcers;
  readonly args: Readonly<Record<string, unknown>>;
  /** Calls of this tool within the last hour, without this one. */
  readonly callsInHour: number;
}
export type ConstraintCheck =
  | { readonly kind: 'ok' }
  | { readonly kind: 'violated'; readonly why: string }
  /** Nobody can hold this tool to it, which is a denial (R5.2). */
  | { readonly kind: 'unavailable'; readonly why: string };

/**
 * Whether a call keeps within a constraint (R5.2). `why` is one sentence for the model and for people. Never throws: an
 * enforcer that does cannot enforce. `timeLimit` and `readOnlyRole` are kept while the tool runs, by whoever runs it.
 */
export function checkConstraint(constraint: Constraint, call: ConstrainedCall): ConstraintCheck {
  const { enforcers, args } = call;
  switch (constraint.kind) {
    case 'pathPrefix':
      return each('path', enforcers.paths, args, (path) =>
        pathWithin(path, constraint.prefix) ? undefined : `"${path}" is not within ${constraint.prefix}.`,
      );
    case 'hosts':
      return each('host', enforcers.hosts, args, (host) =>
        hostAllowed(host, constraint.hosts) ? undefined : `"${host}" is not among ${constraint.hosts.join(', ')}.`,
      );
    case 'maxAmount':
      return amount(constraint.argument, constraint.max, args);
    case 'readOnlyRole':
      return enforcers.readOnlyRole ? ok : unavailable('The tool cannot be held to a read-only role.');
    case 'timeLimit':
      return ok;
    case 'callsPerHour':
      return call.callsInHour < constraint.max
        ? ok
        : violated(`It was called ${call.callsInHour} times within the hour, and ${constraint.max} are allowed.`);
  }
}

const ok = { kind: 'ok' } as const;
const violated = (why: string) => ({ kind: 'violated', why }) as const;
const unavailable = (why: string) => ({ kind: 'unavailable', why }) as const;

function each(
  what: string,
  enforcer: ((args: never) => readonly string[]) | undefined,
  args: ConstrainedCall['args'],
  wrong: (value: string) => string | undefined,
): ConstraintCheck {
  if (enforcer === undefined) return unavailable(`The tool does not say which ${what}s it touches.`);
  let values: readonly string[];
  try {
    values = enforcer(args as never);
  } catch {
    return unavailable(`The tool could not say which ${what}s this call touches.`);
  }
  const why = values.map(wrong).find((found) => found !== undefined);
  return why === undefined ? ok : violated(why);
}

function amount(name: string, max: number, args: ConstrainedCall['args']): ConstraintCheck {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (typeof value !== 'number' || !Number.isFinite(value))
    return violated(`"${name}" must be a number of at most ${max}.`);
  return value <= max ? ok : violated(`"${name}" is ${value}, and at most ${max} is allowed.`);
}
