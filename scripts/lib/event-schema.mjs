// The JSON Schema of an event, as readers outside get it: made of the types that the code writes events by.
import { definitionsOf, onlyUsed } from './definitions-of.mjs';

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
