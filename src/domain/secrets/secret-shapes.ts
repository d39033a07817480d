/**
 * What is a secret by its looks, whoever's it is (R10.4): the issuer's own mark with a length that nothing else has, so that code
 * which is about keys is left alone. Every repetition is bounded, or begins where no other can, so each is linear in the text.
 */
const shapes: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])/g, // AWS
  /(?<!\w)gh[oprsu]_[A-Za-z0-9]{36,255}/g, // GitHub
  /(?<!\w)github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/g,
  /(?<![\w-])glpat-[\w-]{20,64}/g, // GitLab
  /(?<![\w-])xox[abeoprs]-(?:\d{8,14}-){1,3}[A-Za-z0-9]{16,64}/g, // Slack
  /(?<!\w)[rs]k_live_[A-Za-z0-9]{24,128}/g, // Stripe
  /(?<![\w-])sk-(?:proj|svcacct|admin|ant-api\d\d)-[\w-]{40,256}/g, // OpenAI, Anthropic
  /(?<![\w-])AIza[\w-]{35}(?![\w-])/g, // Google
  /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g,
  /(?<![\w-])eyJ[\w-]{10,8000}\.eyJ[\w-]{10,8000}\.[\w-]{20,2000}/g, // a signed token: JSON, JSON, signature
  // With a body, as it stands in a file or inside JSON; the marks alone stand in code. The body ends where the next mark begins.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s\\:,.]|-(?!-)){64,8000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/g,
];

/** The password in an address. A short one is mostly a word, and one with these signs is a place for one. */
const inAddress = /(?<![A-Za-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`<>${}]{1,100}:)[^\s/@"'`<>${}]{12,200}@/gi;

/** The text with all that looks like a secret replaced by `by`. */
export function withoutShapes(text: string, by: string): string {
  const shown = shapes.reduce((rest, shape) => rest.replace(shape, () => by), text);
  return shown.replace(inAddress, (_, before: string) => `${before}${by}@`);
}
