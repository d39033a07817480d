import { type CelEnvironment, Environment } from './cel';

/** The facts that a condition may ask about, and their types (R5.1). Every number is a double, as in JSON. */
const facts = {
  tenant: 'string',
  principal: 'string',
  tool: 'string',
  effect: 'string',
  target: 'string',
  workspace: 'bool',
  tainted: 'bool',
  contract: { kind: 'string', task: 'string', version: 'double' },
  spend: { costUsd: 'double', toolCalls: 'double', turns: 'double' },
} as const;

export const factNames: readonly string[] = [...Object.keys(facts), 'args'];

/** Names of the fields of a fact that has some. */
export function fieldsOf(fact: string): readonly string[] | undefined {
  if (fact === 'contract' || fact === 'spend') return Object.keys(facts[fact]);
  return undefined;
}

/**
 * Every fact but the arguments. People write `args.amount == 50` and `args.amount * 2`: whole numbers go together with
 * decimal ones, which CEL keeps apart.
 */
export function factEnvironment(): CelEnvironment {
  const environment = new Environment();
  for (const [name, type] of Object.entries(facts)) {
    if (typeof type === 'string') environment.registerVariable(name, type);
    else environment.registerVariable(name, { schema: type });
  }
  environment.registerOperator('double == int', (a: number, b: bigint) => a === Number(b));
  for (const [op, apply] of Object.entries(arithmetic)) {
    const mixed = (a: number | bigint, b: number | bigint) => apply(Number(a), Number(b));
    environment.registerOperator(`double ${op} int: double`, mixed);
    environment.registerOperator(`int ${op} double: double`, mixed);
  }
  return environment;
}

const arithmetic = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
};
