import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';

export type Path = readonly PropertyKey[];

/** Offsets in the text; for an item of a list, key and value are the same. */
export interface YamlPlace {
  readonly key: number;
  readonly value: number;
}

/** Where the value at `path` and its key stand; for what is not written down, the nearest thing around it. */
export function placeOf(document: Document.Parsed, path: Path): YamlPlace {
  let node: Node | null | undefined = document.contents;
  let place: YamlPlace = { key: startOf(node) ?? 0, value: startOf(node) ?? 0 };
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    const found: { key: Node | null; value: Node | null } | undefined = child(node, part);
    if (found === undefined) return { key: place.value, value: place.value };
    const value: number = startOf(found.value) ?? startOf(found.key) ?? place.value;
    place = { key: startOf(found.key) ?? value, value };
    node = found.value;
  }
  return place;
}

/** Offset of a character of the text at `path`; of its beginning where the file has it escaped, folded or indented. */
export function placeWithin(document: Document.Parsed, source: string, path: Path, index: number): number {
  const { value: start } = placeOf(document, path);
  const value = document.getIn(path);
  if (typeof value !== 'string' || index === 0) return start;
  const quoted = /["']/.test(source.charAt(start)) && !source.startsWith(value, start) ? 1 : 0;
  return source.startsWith(value, start + quoted) ? start + quoted + index : start;
}

const startOf = (node: Node | null | undefined) => node?.range?.[0];

function child(node: Node | null | undefined, part: PropertyKey): { key: Node | null; value: Node | null } | undefined {
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
    return pair && { key: pair.key, value: pair.value };
  }
  if (isSeq<Node>(node) && typeof part === 'number') {
    const value = node.items[part];
    return value && { key: null, value };
  }
  return undefined;
}
