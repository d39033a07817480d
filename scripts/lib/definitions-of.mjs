// JSON Schemas of the types that the code writes by.
import {
  AnyType,
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  SchemaGenerator,
} from 'ts-json-schema-generator';
import ts from 'typescript';
import { inRoot } from './paths.mjs';

/** The definitions of a type and of all that it names. */
export function definitionsOf(path, type) {
  const config = {
    ...DEFAULT_CONFIG,
    path: inRoot(path),
    type,
    tsconfig: inRoot('tsconfig.json'),
    skipTypeCheck: true,
  };
  const program = createProgram(config);
  const parser = createParser(program, config, (chain) => chain.addNodeParser(inferredOfZod));
  return new SchemaGenerator(program, parser, createFormatter(config), config).createSchema(type).definitions;
}

/** What a zod schema infers is for the checker to work out, which the generator does not ask: it may be anything there. */
const inferredOfZod = {
  supportsNode: (node) =>
    (ts.isTypeReferenceNode(node) && /^z\.(infer|output)$/.test(node.typeName.getText())) ||
    (ts.isIndexedAccessTypeNode(node) && /^Checkpoint\[/.test(node.getText())),
  createType: () => new AnyType(),
};

/** Definitions that the schemas refer to, and those that these refer to, by name. */
export function onlyUsed(schemas, definitions) {
  const used = new Map();
  const open = [...schemas];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [, name] of JSON.stringify(next).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      const key = decodeURIComponent(name);
      if (used.has(key)) continue;
      used.set(key, definitions[key]);
      open.push(definitions[key]);
    }
  }
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}
