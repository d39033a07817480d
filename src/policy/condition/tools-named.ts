import type { Node } from './cel';
import { namedLiterals } from './named-literals';
import { sidesOf } from './nodes';

/**
 * The tools that a condition says it is about: by `tool == "x"` or `tool in [...]` on every way in which it can be true.
 * Undefined where it may be about any.
 */
export function toolsNamed(node: Node): ReadonlySet<string> | undefined {
  switch (node.op) {
    case '&&':
      return sidesOf(node, '&&').map(toolsNamed).reduce(narrowed);
    case '||': {
      const sides = sidesOf(node, '||').map(toolsNamed);
      const all = sides.flatMap((side) => (side === undefined ? [undefined] : [...side]));
      return all.includes(undefined) ? undefined : new Set(all.filter((name) => name !== undefined));
    }
    case '==':
    case 'in': {
      const names = namedLiterals(node).filter(({ fact }) => fact === 'tool');
      return names.length === 0 ? undefined : new Set(names.map(({ value }) => value));
    }
    default:
      return undefined;
  }
}

/** The tools of both; any tool is one of undefined. */
export function narrowed(
  some: ReadonlySet<string> | undefined,
  others: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (some === undefined || others === undefined) return some ?? others;
  return new Set([...some].filter((name) => others.has(name)));
}
