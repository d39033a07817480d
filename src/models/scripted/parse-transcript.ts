import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { type Transcript, transcriptSchema } from './transcript-schema';

/** What is wrong with a transcript, one line for each problem: `file:line:column: what`. */
export class TranscriptError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TranscriptError';
  }
}

/** Throws TranscriptError, which names every problem with its place. `file` is only its name in problems. */
export function parseTranscript(file: string, text: string): Transcript {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problem = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}: ${message}`;
  };
  if (document.errors.length > 0) {
    throw new TranscriptError(document.errors.map((error) => problem(error.pos[0], `not YAML: ${error.message}`)));
  }

  const parsed = transcriptSchema.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  const found = deepest(parsed.error.issues, []).map(({ path, message }) =>
    problem(offsetAt(document, path), `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`),
  );
  throw new TranscriptError(found);
}

interface PlacedIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A union says only that nothing fits; the branch that came furthest says why. */
function deepest(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[]): PlacedIssue[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code === 'unrecognized_keys') return [{ path: [...path, issue.keys[0] ?? ''], message: issue.message }];
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, message: issue.message }];
    const branches = issue.errors.map((branch) => deepest(branch, path));
    return branches.reduce((best, branch) => (branch.length < best.length ? branch : best));
  });
}

/** Where the value at `path` stands, its key where it has none, or the nearest thing around it that is written down. */
function offsetAt(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      node = pair?.value ?? pair?.key;
    } else {
      node = isSeq(node) ? node.items[Number(part)] : undefined;
    }
    if (!isNode(node)) return offset;
    offset = node.range?.[0] ?? offset;
  }
  return offset;
}
