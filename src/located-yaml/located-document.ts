import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { InputError, type Location, type Problem } from './input-error';
import { type Path, placeOf, placeWithin } from './yaml-place';

/** A checked YAML or JSON document that still knows where each value stands. */
export interface LocatedDocument<T> {
  readonly value: T;
  /**
   * A problem at `path`, or at the nearest thing around it that is written down; of a text, at its character `within` where
   * the file has the text as it is.
   */
  readonly problem: (path: Path, message: string, within?: number) => Problem;
}

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
  const hint = broken?.code === 'DUPLICATE_KEY' ? '' : ' (check the quotes, colons and indentation here)';
  if (broken !== undefined)
    throw new InputError([{ message: `not YAML: ${broken.message}${hint}`, at: at(broken.pos[0]) }]);
  // YAML drops a tag that it does not know, and a text loses its beginning: `when: !a && b` would say `b`.
  const tag = document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED');
  if (tag !== undefined)
    throw new InputError([
      { message: 'a value that begins with "!" is a tag to YAML; put it in quotes', at: at(tag.pos[0]) },
    ]);

  const problemAt = (path: Path, message: string, stands: Location): Problem => ({
    message: path.length === 0 ? message : `${pathText(path)}: ${message}`,
    at: stands,
  });
  const problem = (path: Path, message: string, within = 0) =>
    problemAt(path, message, at(placeWithin(document, text, path, within)));
  const issueProblem = (issue: Issue): Problem => {
    switch (issue.code) {
      case 'unrecognized_keys': {
        const { key } = placeOf(document, [...issue.path, issue.keys[0] ?? '']);
        return problemAt(issue.path, issue.message, at(key));
      }
      case 'invalid_key':
        return problemAt(issue.path, issue.issues[0]?.message ?? 'no name', at(placeOf(document, issue.path).key));
      default:
        if (issue.input === undefined) return problem(issue.path, 'is missing');
        return problem(issue.path, issue.message.replace(/^Invalid input: /, ''));
    }
  };
  if (document.contents === null) throw new InputError([{ message: 'the file is empty', at: at(0) }]);

  const parsed = schema.safeParse(document.toJS(), { reportInput: true });
  if (!parsed.success) throw new InputError(inOrder(parsed.error.issues.flatMap(deepest).map(issueProblem)));
  return { value: parsed.data, problem };
}

type Issue = z.core.$ZodIssue;

/** A union says only that nothing fits, unless its schema says more; the branch that came furthest says why. */
function deepest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input' || issue.errors.length === 0) return [issue];
  const branches = issue.errors.map((branch) =>
    branch.flatMap((inner) => deepest({ ...inner, path: [...issue.path, ...inner.path] })),
  );
  return branches.reduce((best, branch) => (branch.length < best.length ? branch : best));
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted(
    (a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}

function pathText(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
