import { conflict, type Footprint, isWrite } from './footprint';

/**
 * Which actions of a proposal may run side by side (R14.2): groups of indices, one group after another. `undefined`: nobody can
 * say what that one touches, so it runs alone. `max`: how many of a group, at least 1.
 *
 *   I1  Read in order, the groups are the proposal: every action once, none before an earlier one's group.
 *   I2  No two actions of a group conflict.
 *   I3  A write is a group of its own. It may have to wait for a person, and so may a read before it: nothing later may have
 *       begun then (R5.4), and a write that has cannot be called back.
 */
export function groups(
  footprints: readonly (Footprint | undefined)[],
  max = Number.POSITIVE_INFINITY,
): readonly (readonly number[])[] {
  const result: number[][] = [];
  let members: readonly Footprint[] = [];
  footprints.forEach((footprint, index) => {
    const open = result.at(-1);
    if (open && members.length < max && footprint && mayJoin(members, footprint)) {
      open.push(index);
      members = [...members, footprint];
    } else {
      result.push([index]);
      members = footprint ? [footprint] : [];
    }
  });
  return result;
}

/** Nothing joins what nobody knows: its group has no members here. */
function mayJoin(members: readonly Footprint[], footprint: Footprint): boolean {
  if (members.length === 0 || [...members, footprint].some(isWrite)) return false; // I3
  return !members.some((member) => conflict(member, footprint)); // I2
}
