import type { Node } from './cel';

/** A text that a condition compares a fact with. */
export interface NamedLiteral {
  /** `tool`, `contract.kind` */
  readonly fact: string;
  readonly value: string;
  /** Character of the condition where it stands. */
  readonly at: number;
}

/** The texts of `fact == "a"`, `"a" != fact` and `fact in ["a", "b"]`; none for any other node. */
export function namedLiterals(node: Node): readonly NamedLiteral[] {
  switch (node.op) {
    case '==':
    case '!=': {
      const [left, right] = node.args;
      return [...literalsOf(left, right), ...literalsOf(right, left)];
    }
    case 'in':
      return literalsOf(node.args[0], node.args[1]);
    default:
      return [];
  }
}

function literalsOf(named: Node, literal: Node): readonly NamedLiteral[] {
  const fact = factOf(named);
  if (fact === undefined) return [];
  const values = literal.op === 'list' ? literal.args : [literal];
  return values.flatMap(({ op, args, start }) =>
    op === 'value' && typeof args === 'string' ? [{ fact, value: args, at: start }] : [],
  );
}

function factOf(node: Node): string | undefined {
  if (node.op === 'id') return node.args;
  if (node.op !== '.') return undefined;
  const fact = factOf(node.args[0]);
  return fact && `${fact}.${node.args[1]}`;
}
