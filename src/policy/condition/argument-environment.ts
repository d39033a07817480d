import type { CelEnvironment } from './cel';
import { factEnvironment } from './fact-environment';

type Schema = Readonly<Record<string, unknown>>;

/** All facts, with arguments of which only their names are unknown: what conditions are evaluated in. */
export function untypedArguments(): CelEnvironment {
  return factEnvironment().registerVariable('args', 'map<string, dyn>');
}

/** All facts, with arguments of the types that a tool's schema gives them: what conditions are checked in. */
export function typedArguments(schema: Schema): CelEnvironment {
  const environment = factEnvironment();
  environment.registerOperator('double in list<int>', () => false); // evaluated nowhere; the untyped one compares across types
  environment.registerVariable('args', typeOf(environment, 'Args', schema));
  return environment;
}

/** The CEL type of a JSON Schema; `dyn` for what has no one type. Objects with known fields are types of their own. */
function typeOf(environment: CelEnvironment, name: string, schema: unknown): string {
  if (!isSchema(schema)) return 'dyn';
  switch (schema['type']) {
    case 'string':
    case 'boolean':
      return schema['type'] === 'string' ? 'string' : 'bool';
    case 'number':
    case 'integer':
      return 'double';
    case 'array':
      return `list<${typeOf(environment, `${name}Item`, schema['items'])}>`;
    case 'object': {
      const properties = knownProperties(schema);
      if (properties === undefined) return 'map<string, dyn>';
      const fields = Object.entries(properties).map(([field, inner], index) => [
        field,
        typeOf(environment, `${name}F${index}`, inner),
      ]);
      environment.registerType(name, { fields: Object.fromEntries(fields) });
      return name;
    }
    default:
      return 'dyn';
  }
}

/** The fields of an object where its schema names all that it may have. */
export function knownProperties(schema: unknown): Schema | undefined {
  if (!isSchema(schema) || !isSchema(schema['properties'])) return undefined;
  const others = schema['additionalProperties'];
  return others === undefined || others === false ? schema['properties'] : undefined;
}

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
