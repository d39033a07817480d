import { parseArgs } from 'node:util';
import { type Lane, lanes } from './lane';

export interface BenchOptions<Names extends string> {
  readonly json: boolean;
  readonly lanes: readonly Lane[];
  readonly numbers: Readonly<Record<Names, number>>;
  /** Folder for a CPU profile of the worker; undefined where none is asked for. */
  readonly profile: string | undefined;
}

/** Reads the options of a benchmark; prints its help and ends the process where that, or something unknown, is asked. */
export function readOptions<Names extends string>(
  about: string,
  defaults: Readonly<Record<Names, { readonly value: number; readonly about: string }>>,
): BenchOptions<Names> {
  const named = Object.entries<{ value: number; about: string }>(defaults);
  const help = `${about}

  --lane LANE       ${lanes.join(' or ')}; both where left out
  --json            one JSON document instead of tables
  --profile DIR     writes a CPU profile of the worker there
${named.map(([name, { value, about: what }]) => `  --${`${name} N`.padEnd(15)} ${what} (${value})`).join('\n')}
`;
  try {
    const { values }: { values: Readonly<Record<string, unknown>> } = parseArgs({
      options: {
        help: { type: 'boolean' },
        json: { type: 'boolean' },
        lane: { type: 'string' },
        profile: { type: 'string' },
        ...Object.fromEntries(named.map(([name]) => [name, { type: 'string' as const }])),
      },
    });
    if (values['help'] === true) stop(help, 0);
    return {
      json: values['json'] === true,
      lanes: lanesOf(values['lane']),
      numbers: Object.fromEntries(
        named.map(([name, { value }]) => [name, positive(name, values[name], value)]),
      ) as Record<Names, number>,
      profile: typeof values['profile'] === 'string' ? values['profile'] : undefined,
    };
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : String(error)}\n\n${help}`, 2);
  }
}

function lanesOf(value: unknown): readonly Lane[] {
  if (value === undefined) return lanes;
  const found = lanes.find((lane) => lane === value);
  if (found === undefined) throw new Error(`--lane is one of ${lanes.join(', ')}`);
  return [found];
}

function positive(name: string, value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1`);
  return number;
}

function stop(text: string, code: number): never {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}
