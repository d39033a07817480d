import { ToolError } from './tool-errors';

/** Of a file that a patch changes, bytes: larger ones are data or made by a program. */
export const maxPatchedBytes = 4 * 1024 ** 2;
/** Lines that one patch may have looked at: some 0.3 s, far from what a worker may be silent for, and far above a real one's. */
const maxWorkLines = 5_000_000;
/** What reading a text and writing it again costs, against comparing a line of it. */
const charsPerLine = 16;

/** Counts what a patch costs before it is spent, and throws PATCH_TOO_LARGE. */
export function createPatchWork() {
  let lines = 0;
  const spend = (more: number) => {
    lines += more;
    if (lines > maxWorkLines) throw patchTooLarge('its hunks are too many, or stand too far from the lines they name');
  };
  return { spend, spendText: (text: string) => spend(Math.ceil(text.length / charsPerLine)) };
}
export type PatchWork = ReturnType<typeof createPatchWork>;

export function patchTooLarge(why: string): ToolError {
  return new ToolError(
    { class: 'tool_argument', code: 'PATCH_TOO_LARGE' },
    `Nothing was changed. The patch is too much work: ${why}.`,
    'Send it in parts, with line numbers that are right, or make the change with run_command.',
  );
}
