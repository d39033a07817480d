import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';

/** The part of JSON Schema that arguments are typed from; anything else of it may stand in a schema and is checked too. */
export type PropertySchema =
  | { readonly type: 'string'; readonly enum?: readonly string[]; readonly [keyword: string]: unknown }
  | { readonly type: 'integer' | 'number' | 'boolean' | 'null'; readonly [keyword: string]: unknown }
  | { readonly anyOf: readonly PropertySchema[]; readonly [keyword: string]: unknown }
  | { readonly type: 'array'; readonly items: PropertySchema; readonly [keyword: string]: unknown }
  | ObjectSchema;
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  /** Always refused (R8.4): a misspelt argument is an error and not a default. */
  readonly additionalProperties: false;
  readonly [keyword: string]: unknown;
}

/** The TypeScript type of what the schema lets through. */
export type ArgumentsOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly anyOf: readonly (infer One)[] }
    ? ArgumentsOf<One>
    : Schema extends { readonly type: 'null' }
      ? null
      : Schema extends { readonly type: 'string' }
        ? string
        : Schema extends { readonly type: 'integer' | 'number' }
          ? number
          : Schema extends { readonly type: 'boolean' }
            ? boolean
            : Schema extends { readonly type: 'array'; readonly items: infer Items }
              ? readonly ArgumentsOf<Items>[]
              : Schema extends { readonly type: 'object'; readonly properties: infer Properties }
                ? ObjectOf<Properties, RequiredOf<Schema>>
                : never;
type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;
type ObjectOf<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required ? Name : never]: ArgumentsOf<Properties[Name]>;
} & {
  readonly [Name in keyof Properties as Name extends Required ? never : Name]?: ArgumentsOf<Properties[Name]>;
};

/** What a model is told of its mistakes at once; one mistake often causes the next. */
const mistakesShown = 5;

/** Every wrong value is an error object to the checker (a million take ten seconds), and no tool takes nearly as many. */
const valuesMax = 5_000;

/** Counts values, those of lists and objects included, without recursion: a model may nest them deeper than a stack is. */
function holdsMoreThan(max: number, args: unknown): boolean {
  const open = [args];
  let seen = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    seen += 1;
    if (seen + open.length > max) return true;
    if (typeof value !== 'object' || value === null) continue;
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (inner.length > max) return true;
    open.push(...inner);
  }
  return false;
}

/** One for all schemas: it compiles the schema of schemas for itself first, which takes 30 ms. */
const compiler = new Ajv2020({ strict: true, allErrors: true });

/** A check that words what is wrong for a model. Nothing is coerced, filled in or removed (R8.4). */
export function compileArguments(schema: ObjectSchema): (args: unknown) => string | undefined {
  const check = compiler.compile(schema);
  compiler.removeSchema(schema); // another one may have the same $id
  return argumentCheck(check);
}

/** The check of a compiled schema, in words. */
export function argumentCheck(check: ValidateFunction): (args: unknown) => string | undefined {
  return (args) => {
    if (holdsMoreThan(valuesMax, args)) return `the arguments hold more than ${valuesMax} values`;
    if (check(args)) return undefined;
    const mistakes = [...new Set((check.errors ?? []).map(worded))];
    return mistakes.slice(0, mistakesShown).join('; ');
  };
}

function worded({ instancePath, keyword, params, message }: ErrorObject): string {
  const where = instancePath === '' ? 'the arguments' : `"${instancePath.slice(1).replaceAll('/', '.')}"`;
  switch (keyword) {
    case 'additionalProperties':
      return `${where} must not have "${String(params['additionalProperty'])}"`;
    case 'required':
      return `${where} must have "${String(params['missingProperty'])}"`;
    case 'enum':
      return `${where} must be one of ${JSON.stringify(params['allowedValues'])}`;
    default:
      return `${where} ${message ?? 'is wrong'}`;
  }
}
