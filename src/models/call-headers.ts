import type { ModelCallOptions } from '../activities/ports';

/** The configured headers with their placeholders filled, and the idempotency key of this try (R1.3). */
export function callHeaders(
  configured: Readonly<Record<string, string>> | undefined,
  options: Pick<ModelCallOptions, 'idempotencyKey' | 'headerFacts'>,
): Record<string, string> {
  const headers: Record<string, string> = { 'Idempotency-Key': options.idempotencyKey };
  for (const [name, template] of Object.entries(configured ?? {})) headers[name] = fill(template, options.headerFacts);
  return headers;
}

function fill(template: string, facts: ModelCallOptions['headerFacts']): string {
  return template
    .replaceAll('{tenant}', facts.tenant)
    .replaceAll('{attempt}', facts.attempt)
    .replaceAll('{step}', String(facts.step));
}

/** What HTTP takes as a header's value. */
const headerValuePattern = /^[\t\x20-\x7e]*$/;

/** Said here and without the value, which may be a secret; HTTP clients would print it. */
export function isHeaderValue(value: string): boolean {
  return headerValuePattern.test(value);
}
