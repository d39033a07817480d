import type { Node } from './cel';
import { sidesOf } from './nodes';
import { narrowed, toolsNamed } from './tools-named';

/** A part of a condition, with the tools that it is judged for; undefined: it may be any. */
export interface Part {
  readonly part: Node;
  readonly about: ReadonlySet<string> | undefined;
}

/** The parts that stand between `&&`, `||` and `!`. */
export function partsOf(node: Node, about?: ReadonlySet<string>): readonly Part[] {
  switch (node.op) {
    case '&&': {
      const narrower = narrowed(about, toolsNamed(node));
      return sidesOf(node, '&&').flatMap((side) => partsOf(side, narrower));
    }
    case '||':
      return sidesOf(node, '||').flatMap((side) => partsOf(side, about));
    case '!_':
      return partsOf(node.args, about);
    default:
      return [{ part: node, about }];
  }
}
