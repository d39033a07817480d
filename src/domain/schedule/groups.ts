import { conflict, type Footprint, isWrite } from './footprint';

/**
 * Which actions of a proposal may run side by side (R14.2): groups of indices, one group after another.
 *
 *   I1  Read in order, the groups are the proposal: every action once, none before an earlier one's group.
 *   I2  No two actions of a group conflict.
 *   I3  A write is the last of its group: it may have to wait for a person, and nothing later may run meanwhile (R5.4).
 */
export function groups(footprints: readonly Footprint[]): readonly (readonly number[])[] {
  const result: number[][] = [];
  let members: Footprint[] = [];
  footprints.forEach((footprint, index) => {
    const open = result.at(-1);
    const joins = open && !members.some((member) => isWrite(member) || conflict(member, footprint)); // I2, I3
    if (joins) {
      open.push(index);
      members.push(footprint);
    } else {
      result.push([index]);
      members = [footprint];
    }
  });
  return result;
}
