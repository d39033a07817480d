// The JSON Schema of an event, as readers outside get it: made of the types that the code writes events by.
import { createGenerator } from 'ts-json-schema-generator';
import { inRoot } from './paths.mjs';

const tsconfig = inRoot('tsconfig.json');
const definitionsOf = (path, type) =>
  createGenerator({ path: inRoot(path), type, tsconfig, skipTypeCheck: true }).createSchema(type).definitions;

/** One envelope, and of each type its payload. */
export function eventSchema() {
  const { WireEvent: envelope, ...shared } = definitionsOf('src/protocol/wire-event.ts', 'WireEvent');
  const { EventContent: contents, ...used } = definitionsOf('src/protocol/events.ts', 'EventContent');
  const { event_type: _type, payload: _payload, ...properties } = envelope.properties;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'An event of a Holdfast attempt',
    description: envelope.description,
    type: 'object',
    properties: { ...properties, event_type: { type: 'string' }, payload: { type: 'object' } },
    required: envelope.required,
    additionalProperties: false,
    oneOf: contents.anyOf.map(({ description, properties: { type, payload } }) => ({
      ...(description && { description }),
      properties: { event_type: type, payload },
    })),
    definitions: onlyUsed([contents, properties], { ...shared, ...used }),
  };
}

/** Definitions that the schemas refer to, and those that these refer to. */
function onlyUsed(schemas, definitions) {
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
