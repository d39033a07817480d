import { knownProperties } from './argument-environment';

/** `given`: every call has it. `optional`: a call may leave it out. `never`: no call of the tool has it, whoever makes it. */
export type Absence = 'given' | 'optional' | 'never';

/** Whether calls of a tool with this schema may lack an argument, such as `['order', 'id']`. What the schema leaves open may lack. */
export function absenceOf(schema: unknown, path: readonly string[]): Absence {
  const [name, ...below] = path;
  if (name === undefined) return 'given';
  const properties = isComposed(schema) ? undefined : knownProperties(schema);
  if (properties === undefined) return 'optional';
  if (!Object.hasOwn(properties, name)) return 'never';
  const rest = absenceOf(properties[name], below);
  return rest === 'given' && !requires(schema, name) ? 'optional' : rest;
}

/** Keywords by which a schema may bring in fields that its `properties` do not name. */
const composing = ['allOf', 'anyOf', 'oneOf', '$ref', 'if', 'dependentSchemas', 'patternProperties'];

function isComposed(schema: unknown): boolean {
  return schema !== null && typeof schema === 'object' && composing.some((keyword) => Object.hasOwn(schema, keyword));
}

function requires(schema: unknown, name: string): boolean {
  if (schema === null || typeof schema !== 'object' || !('required' in schema)) return false;
  return Array.isArray(schema.required) && schema.required.includes(name);
}
