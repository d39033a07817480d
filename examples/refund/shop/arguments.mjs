import { Refusal } from './refusal.mjs';

/** Characters. Nothing that a shop writes is longer, and its journal stays readable. */
const lengthMax = 4_000;
/** Euros. In cents it is far below what a number holds exactly. */
const amountMax = 1_000_000_000;

const kinds = {
  text: {
    words: `a text of 1 to ${lengthMax} characters`,
    fits: (value) => typeof value === 'string' && value !== '' && value.length <= lengthMax,
  },
  /** Euros. Kept in cents inside, so that sums are exact. */
  amount: {
    words: 'an amount in euros above 0, with at most two decimals',
    fits: (value) => Number.isFinite(value) && value > 0 && value <= amountMax && isWholeCents(value),
  },
};

/** Throws a Refusal unless `args` has what `shape` names, each of its kind, and nothing else; `?` marks what may be left out. */
export function checkArguments(shape, args) {
  for (const name of Object.keys(args)) {
    if (!Object.hasOwn(shape, name) && !Object.hasOwn(shape, `${name}?`))
      throw wrong(`There is no argument "${name}".`);
  }
  for (const [name, kind] of Object.entries(shape)) {
    const value = args[name.replace('?', '')];
    if (value === undefined && name.endsWith('?')) continue;
    if (!kinds[kind].fits(value)) throw wrong(`"${name.replace('?', '')}" must be ${kinds[kind].words}.`);
  }
}

export const cents = (euros) => Math.round(euros * 100);
export const euros = (wholeCents) => wholeCents / 100;

function isWholeCents(value) {
  return Number(value.toFixed(2)) === value;
}

function wrong(message) {
  return new Refusal(400, 'BAD_ARGUMENTS', message);
}
