import type { PolicyFacts } from '../../domain/policy/policy';
import { absenceOf } from './absence';
import { argumentAccesses, readsInside } from './argument-access';
import { type CelEnvironment, type Node, serialize } from './cel';
import { isMissing } from './condition';
import { sidesOf } from './nodes';

/** What a part of a condition may come to, if the call had what it leaves out. Neither: no call of the tool has what it asks for. */
interface Possible {
  readonly true: boolean;
  readonly false: boolean;
}
export interface AskedCall {
  readonly facts: PolicyFacts;
  /** Of the tool's arguments; undefined where the tool is not known. */
  readonly schema: unknown;
  readonly environment: CelEnvironment;
}

/**
 * Whether a condition that lacks something on a call might be true if the call had it. It cannot be where other parts decide,
 * or where the tool itself has no such argument: that is nobody's leaving out. Never throws.
 */
export function mightMatch(condition: Node, call: AskedCall): boolean {
  return possible(condition, call).true;
}

function possible(node: Node, call: AskedCall): Possible {
  switch (node.op) {
    case '&&': {
      const sides = sidesOf(node, '&&').map((side) => possible(side, call));
      return { true: sides.every((side) => side.true), false: sides.some((side) => side.false) };
    }
    case '||': {
      const sides = sidesOf(node, '||').map((side) => possible(side, call));
      return { true: sides.some((side) => side.true), false: sides.every((side) => side.false) };
    }
    case '!_': {
      const negated = possible(node.args, call);
      return { true: negated.false, false: negated.true };
    }
    default:
      return ofPart(node, call);
  }
}

const either: Possible = { true: true, false: true };
const neither: Possible = { true: false, false: false };

function ofPart(part: Node, { facts, schema, environment }: AskedCall): Possible {
  try {
    const value: unknown = environment.parse(serialize(part))({ ...facts });
    return typeof value === 'boolean' ? { true: value, false: !value } : either;
  } catch (error) {
    return isMissing(error) && isOfOtherTools(part, schema) ? neither : either;
  }
}

/** Whether all that calls may lack in a part is what no call of the tool has. */
function isOfOtherTools(part: Node, schema: unknown): boolean {
  if (readsInside(part)) return false;
  const read = argumentAccesses(part).filter(({ asked }) => !asked);
  const absences = read.map(({ path }) => absenceOf(schema, path));
  return absences.includes('never') && !absences.includes('optional');
}
