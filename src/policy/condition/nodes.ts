import type { Node } from './cel';

/** The nodes right below one, whatever its operator. */
export function childrenOf(node: Node): readonly Node[] {
  return nodesIn(node.args);
}

/** A node and all below it. */
export function nodesOf(node: Node): readonly Node[] {
  return [node, ...childrenOf(node).flatMap(nodesOf)];
}

/** The sides of an operator that may be chained: `a && b && c` has three. */
export function sidesOf(node: Node, op: '&&' | '||'): readonly Node[] {
  return node.op === op ? node.args.flatMap((side) => sidesOf(side, op)) : [node];
}

function nodesIn(args: unknown): Node[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  return isNode(args) ? [args] : [];
}

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && 'op' in value && 'args' in value;
}
