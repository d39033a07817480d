import { canonicalHash } from '../domain/canonical';

/** First digits of an action's hash that history holds; enough to notice another action at the same place. */
const shortHashDigits = 16;

/** What tells an action from another at its place: SHA-256 over the tool's name and the arguments by what they say, 64 hex digits. */
export const actionHash = (tool: string, args: unknown) => canonicalHash({ tool, args });

/** As `PlannedAction.hash` has it. */
export const shortHash = (hash: string) => hash.slice(0, shortHashDigits);
