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
