import type { Node } from './cel';
import { fieldsOf } from './fact-environment';
import { nodesOf } from './nodes';

/** One place of a condition that reads an argument, such as `args.order.id`. */
export interface ArgumentAccess {
  /** `['order', 'id']` */
  readonly path: readonly string[];
  /** Character of the condition where its last name stands. */
  readonly at: number;
  /** `has()` asks whether it is there, which is no reading. */
  readonly asked: boolean;
}

/** Every access, and each of its beginnings: `args.order.id` reads `args.order` too. */
export function argumentAccesses(condition: Node): readonly ArgumentAccess[] {
  const nodes = nodesOf(condition);
  const asked = new Set(nodes.flatMap((node) => (node.op === 'call' && node.args[0] === 'has' ? node.args[1] : [])));
  return nodes.flatMap((node) => {
    const path = pathOf(node);
    return path === undefined || path.length === 0 ? [] : [{ path, at: node.pos, asked: asked.has(node) }];
  });
}

/**
 * Whether it reads a field or an item that no fixed path names: of an item of a list, or by a name that is worked out. Whether
 * such a thing is there, only the call can tell.
 */
export function readsInside(condition: Node): boolean {
  return nodesOf(condition).some((node) => {
    if (node.op !== '.' && node.op !== '[]') return false;
    const [object] = node.args;
    const isFact = object.op === 'id' && fieldsOf(object.args) !== undefined;
    return !isFact && pathOf(node) === undefined;
  });
}

function pathOf(node: Node): readonly string[] | undefined {
  switch (node.op) {
    case 'id':
      return node.args === 'args' ? [] : undefined;
    case '.':
      return below(node.args[0], node.args[1]);
    case '[]': {
      const [object, index] = node.args;
      return index.op === 'value' && typeof index.args === 'string' ? below(object, index.args) : undefined;
    }
    default:
      return undefined;
  }
}

function below(object: Node, name: string): readonly string[] | undefined {
  const path = pathOf(object);
  return path && [...path, name];
}
