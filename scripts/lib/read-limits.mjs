import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const limitName = /(Ms|Bytes|Chars|Max)$|^max[A-Z]/;
/** Units to count in, not limits. */
const unitName = /^(second|minute|hour|day)Ms$/;

/** Every named timeout and limit under a folder: top-level constants with a unit in their name and a number as value. */
export function readLimits(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .sort();
  return files.flatMap((file) => limitsOf(file, readFileSync(join(folder, file), 'utf8')));
}

function limitsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const values = new Map();
  const limits = [];
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const why = commentOf(statement, text);
    for (const { name, initializer } of statement.declarationList.declarations) {
      const value = initializer && numberOf(initializer, values);
      if (value === undefined || !ts.isIdentifier(name)) continue;
      values.set(name.text, value);
      if (limitName.test(name.text) && !unitName.test(name.text)) limits.push({ file, name: name.text, value, why });
    }
  }
  return limits;
}

/** The text of the comment that touches the statement from above; it speaks for this statement and for no other. */
function commentOf(statement, text) {
  const last = (ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? []).at(-1);
  if (!last || /\n\s*\n/.test(text.slice(last.end, statement.getStart()))) return '';
  return text
    .slice(last.pos, last.end)
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .replace(/\n\s*\*?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function numberOf(node, values) {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isIdentifier(node)) return values.get(node.text);
  if (ts.isParenthesizedExpression(node)) return numberOf(node.expression, values);
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [numberOf(node.left, values), numberOf(node.right, values)];
  if (left === undefined || right === undefined) return undefined;
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.AsteriskToken:
      return left * right;
    case ts.SyntaxKind.PlusToken:
      return left + right;
    case ts.SyntaxKind.MinusToken:
      return left - right;
    default:
      return undefined;
  }
}
