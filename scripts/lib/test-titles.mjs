import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';

const testFile = /\.(test|server|process|browser)\.ts$/;
const callees = ['test', 'it', 'describe'];
/** Tests that do not run hold nothing. */
const notRun = ['skip', 'todo'];

/** Every title under a folder that a test or a group of tests has, with its file; those that never run are left out. */
export function readTestTitles(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((path) => testFile.test(path))
    .sort();
  return files.flatMap((path) => {
    const source = ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.Latest);
    return titlesIn(source).map((title) => ({ file: join(basename(folder), path), title }));
  });
}

function titlesIn(node) {
  const title = ts.isCallExpression(node) ? titleOf(node) : undefined;
  if (title === null) return [];
  const below = [];
  ts.forEachChild(node, (child) => {
    below.push(...titlesIn(child));
  });
  return title === undefined ? below : [title, ...below];
}

/** Undefined where the call is no test; null where it is one that never runs. */
function titleOf(call) {
  const names = namesOf(call.expression);
  if (!callees.includes(names[0])) return undefined;
  if (names.some((name) => notRun.includes(name))) return null;
  const [first] = call.arguments;
  if (first && ts.isStringLiteralLike(first)) return first.text;
  if (first && ts.isTemplateExpression(first)) return `${first.head.text}…`;
  return undefined;
}

/** `test.each([…])` → test, each. */
function namesOf(expression) {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isPropertyAccessExpression(expression)) return [...namesOf(expression.expression), expression.name.text];
  if (ts.isCallExpression(expression)) return namesOf(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return namesOf(expression.tag);
  return [];
}
