/** What a schedule broke, by the number of the rule. */
export interface Violation {
  readonly rule: string;
  readonly what: string;
}

export class Violations {
  readonly found: Violation[] = [];

  add(rule: string, what: string): void {
    if (!this.found.some((known) => known.rule === rule && known.what === what)) this.found.push({ rule, what });
  }
  /** Adds one where it does not hold. */
  expect(holds: boolean, rule: string, what: () => string): void {
    if (!holds) this.add(rule, what());
  }
}
