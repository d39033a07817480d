import { budgetSchema } from '../config/schema';
import type { BudgetRaise } from '../protocol/messages';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';

const names = Object.keys(budgetSchema.shape);

/** Limits to raise, written `maxCostUsd=5`, in the units of a task file. Throws CliError where one is not understood. */
export function budgetOf(written: readonly string[]): BudgetRaise {
  const budget: Record<string, number> = {};
  for (const text of written) {
    const [, name = '', amount = ''] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(text) ?? [];
    if (!names.includes(name)) throw wrong(`"${text}" names no limit.`);
    if (Object.hasOwn(budget, name)) throw wrong(`${name} is given twice.`);
    budget[name] = Number(amount);
  }
  const checked = budgetSchema.safeParse(budget);
  const [issue] = checked.error?.issues ?? [];
  if (issue !== undefined) throw wrong(`${issue.path.join('.')}: ${issue.message}.`);
  return budget;
}

function wrong(what: string): CliError {
  return new CliError(
    exitCodes.usage,
    what,
    `Write it like --budget maxCostUsd=5; the limits are ${names.join(', ')}.`,
  );
}
