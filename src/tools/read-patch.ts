import { parsePatch, type StructuredPatch } from 'diff';
import { ToolError } from './tool-errors';

/** One file's part of a patch. `from` and `to` are undefined where the file is new or goes away. */
export interface FilePatch {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Of the new file, where the patch sets one. */
  readonly mode: number | undefined;
  readonly patch: StructuredPatch;
}

/** Reads a unified diff. Throws INVALID_PATCH with what is wrong in it. */
export function readPatch(text: string): readonly FilePatch[] {
  const parsed = parse(text).filter((patch) => patch.hunks.length > 0 || patch.isGit);
  if (parsed.length === 0) throw invalid('it changes no file');
  return parsed.map(filePatch);
}

function parse(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

function filePatch(patch: StructuredPatch): FilePatch {
  if (patch.isBinary || saysNothing(patch)) throw invalid('a binary file cannot be patched');
  if (patch.isCopy) throw invalid('copies are not applied; make the file with its text');
  if (patch.newMode === '120000' || patch.oldMode === '120000') throw invalid('links cannot be patched');
  if (patch.newMode === '160000') throw invalid('submodules cannot be patched');
  const prefixed = patch.isGit === true || (hasPrefix(patch.oldFileName, 'a/') && hasPrefix(patch.newFileName, 'b/'));
  const from = patch.isCreate ? undefined : nameOf(patch.oldFileName, prefixed);
  const to = patch.isDelete ? undefined : nameOf(patch.newFileName, prefixed);
  if (from === undefined && to === undefined) throw invalid('it names no file');
  return { from, to, mode: modeOf(patch), patch };
}

/** git's header without anything that it announces: a binary body, which the parser leaves out. */
function saysNothing({ hunks, isRename, isCopy, isCreate, isDelete, newMode }: StructuredPatch): boolean {
  return hunks.length === 0 && !isRename && !isCopy && !isCreate && !isDelete && newMode === undefined;
}

const hasPrefix = (name: string | undefined, prefix: string) =>
  name === '/dev/null' || (name?.startsWith(prefix) ?? false);

function nameOf(name: string | undefined, prefixed: boolean): string | undefined {
  if (name === undefined || name === '' || name === '/dev/null') return undefined;
  return prefixed ? name.replace(/^[ab]\//, '') : name;
}

/** git knows two modes of a file. */
function modeOf({ newMode }: StructuredPatch): number | undefined {
  if (newMode === undefined) return undefined;
  return newMode.endsWith('755') ? 0o755 : 0o644;
}

function invalid(why: string): ToolError {
  return new ToolError(
    { class: 'tool_argument', code: 'INVALID_PATCH' },
    `The patch cannot be read: ${why}.`,
    'Send a unified diff: --- a/path, +++ b/path, then hunks whose @@ line counts are right. Or use write_file.',
  );
}
