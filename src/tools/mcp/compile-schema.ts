import Ajv from 'ajv';
import Ajv2019 from 'ajv/dist/2019';
import Ajv2020 from 'ajv/dist/2020';
import { argumentCheck } from '../arguments';

/**
 * Schemas of others say more than they check (formats, titles, keywords of their own): what is unknown is passed over, and
 * the server judges it.
 */
const lenient = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  unicodeRegExp: false,
  logger: false,
} as const;

/** Made when the first schema of a dialect comes: each compiles the schema of schemas, which takes 30 ms. */
const compilers = new Map<Dialect, Ajv | Ajv2019 | Ajv2020>();
const dialects = { '2020': Ajv2020, '2019': Ajv2019, '7': Ajv } as const;
type Dialect = keyof typeof dialects;

/** A check that words what is wrong for a model. Throws where the schema is none. */
export function compileSchema(schema: Readonly<Record<string, unknown>>): (args: unknown) => string | undefined {
  const { $schema, ...rest } = schema; // the compiler knows its own dialect only, by one spelling
  const dialect = dialectOf($schema);
  const compiler = compilers.get(dialect) ?? new dialects[dialect](lenient);
  compilers.set(dialect, compiler);
  const check = compiler.compile(rest);
  compiler.removeSchema(rest); // another server's may have the same $id
  return argumentCheck(check);
}

/** The newest where it says none, as MCP has it. */
function dialectOf($schema: unknown): Dialect {
  if (typeof $schema !== 'string') return '2020';
  if (/draft-0[4-7]/.test($schema)) return '7';
  return $schema.includes('2019-09') ? '2019' : '2020';
}
