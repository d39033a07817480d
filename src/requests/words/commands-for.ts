/** They are about the machine or the whole installation, and about no tenant. */
const tenantless = ['up', 'demo', 'doctor', 'worker', 'gateway', 'verify-ledger', 'policy check'];

const quotedCommand = /(`|")holdfast ((?:(?!\1).)+)\1/g;

/**
 * A text whose commands, each in backticks or quotation marks, can be typed as they stand for this tenant. What the ledger has
 * said knows no option of the command line, so it is told here.
 */
export function commandsFor(tenant: string, text: string): string {
  if (tenant === 'default') return text;
  return text.replace(quotedCommand, (whole, quote: string, words: string) => {
    if (words.includes(' --tenant ') || tenantless.some((name) => words === name || words.startsWith(`${name} `)))
      return whole;
    return `${quote}holdfast ${words} --tenant ${tenant}${quote}`;
  });
}
