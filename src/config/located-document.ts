import { readFileSync } from 'node:fs';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import { InputError, type Location, type Problem } from './input-error';

/** A checked YAML or JSON document that still knows where each value stands. */
export interface LocatedDocument<T> {
  readonly value: T;
  /** A problem at `path`, or at the nearest thing around it that is written down. */
  readonly problem: (path: Path, message: string) => Problem;
}
type Path = readonly PropertyKey[];

/** Throws InputError where the file cannot be read, is no YAML, or does not fit the schema; it names every problem. */
export function readLocated<Schema extends z.ZodType>(file: string, schema: Schema): LocatedDocument<z.output<Schema>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError([
      { message: `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}` },
    ]);
  }
  return parseLocated(file, text, schema);
}

/** The same from a text; `file` is only its name in problems. */
export function parseLocated<Schema extends z.ZodType>(
  file: string,
  text: string,
  schema: Schema,
): LocatedDocument<z.output<Schema>> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Location => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  // The first alone: what the parser says after it follows from it.
  const [broken] = document.errors;
  if (broken !== undefined) throw new InputError([{ message: `not YAML: ${broken.message}`, at: at(broken.pos[0]) }]);

  const root = document.contents;
  const problem = (path: Path, message: string): Problem => ({
    message: path.length === 0 ? message : `${pathText(path)}: ${message}`,
    at: at(offsetOf(root, path, document)),
  });
  if (root === null) throw new InputError([{ message: 'the file is empty', at: at(0) }]);

  const parsed = schema.safeParse(document.toJS(), { reportInput: true });
  if (!parsed.success) throw new InputError(inOrder(parsed.error.issues.map((issue) => issueProblem(issue, problem))));
  return { value: parsed.data, problem };
}

function issueProblem(issue: z.core.$ZodIssue, problem: LocatedDocument<unknown>['problem']): Problem {
  if (issue.code === 'unrecognized_keys') {
    const stands = problem([...issue.path, issue.keys[0] ?? ''], '');
    return { ...problem(issue.path, issue.message), ...(stands.at && { at: stands.at }) };
  }
  if (issue.code === 'invalid_key') return problem(issue.path, issue.issues[0]?.message ?? 'not a name');
  if (issue.input === undefined) return problem(issue.path, 'is missing');
  return problem(issue.path, issue.message.replace(/^Invalid input: /, ''));
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted(
    (a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}

/** Offset of the value at `path`; of its key where the path leads to an unknown or empty one; else of what is around it. */
function offsetOf(root: Node | null, path: Path, document: ReturnType<typeof parseDocument>): number {
  let node: Node | null | undefined = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [index, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    const found: { readonly key?: Node; readonly value: Node | null } | undefined = child(node, part);
    if (found === undefined) return offset;
    const last = index === path.length - 1;
    offset = (last ? found.value : (found.value ?? found.key))?.range?.[0] ?? found.key?.range?.[0] ?? offset;
    node = found.value;
  }
  return offset;
}

function child(node: Node | null | undefined, part: PropertyKey): { key?: Node; value: Node | null } | undefined {
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
    return pair && { key: pair.key, value: pair.value };
  }
  if (isSeq<Node>(node) && typeof part === 'number') {
    const value = node.items[part];
    return value && { value };
  }
  return undefined;
}

function pathText(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
