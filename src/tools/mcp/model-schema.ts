import { type JsonRecord, recordOf } from './record';

/** Keywords by which the properties of an object stand elsewhere than in `properties`. */
const elsewhere = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'patternProperties',
  'unevaluatedProperties',
];

/**
 * The schema that the model is shown, and that its arguments are checked by: without the argument that the runtime fills
 * in, and closed where the server leaves that open, so that a misspelt argument is an error and not a default (R8.4).
 */
export function modelSchema(schema: JsonRecord, hidden: string | undefined): JsonRecord {
  const { properties, required } = schema;
  const open = schema['additionalProperties'] === undefined && !elsewhere.some((keyword) => keyword in schema);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(recordOf(properties)).filter(([name]) => name !== hidden)),
    ...(Array.isArray(required) && { required: required.filter((name) => name !== hidden) }),
    ...(open && { additionalProperties: false }),
  };
}

/** Names of the arguments; undefined where the schema does not say them in `properties`. */
export function argumentNames(schema: JsonRecord): readonly string[] | undefined {
  if (elsewhere.some((keyword) => keyword in schema)) return undefined;
  return Object.keys(recordOf(schema['properties']));
}
