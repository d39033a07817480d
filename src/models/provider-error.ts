import { APICallError } from '@ai-sdk/provider';

/** Reads the facts out of what provider packages throw and put into streams, by their fields: they come in many classes. */

/** A redirect is no answer either: a model's address is configured, not discovered. */
const firstErrorStatus = 300;
/** Causes are nested: a fetch error holds a socket's error, and one of several addresses holds that again. */
const causeMaxDepth = 8;

/** The HTTP status of a refusal; undefined where the response had begun as a success. */
export function statusCode(error: unknown): number | undefined {
  const status = field(error, 'statusCode');
  return typeof status === 'number' && status >= firstErrorStatus ? status : undefined;
}

/** The `code` and `type` that the provider gave its error. */
export function errorTypes(error: unknown): readonly string[] {
  const data = field(error, 'data');
  const bodies = [error, data, field(data, 'error'), parsedBody(error)];
  return bodies
    .flatMap((body) => [field(body, 'code'), field(body, 'type')])
    .filter((name) => typeof name === 'string');
}

/** The system's or the HTTP client's code of a broken connection. */
export function networkCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < causeMaxDepth; depth++) {
    const code = field(current, 'code');
    if (typeof code === 'string' && code !== '') return code;
    const several = field(current, 'errors');
    current = field(current, 'cause') ?? (Array.isArray(several) ? several[0] : undefined);
  }
  return undefined;
}

/** What the other side said, else what went wrong here. */
export function wordsOf(error: unknown): string {
  if (APICallError.isInstance(error) && error.responseBody) return error.responseBody;
  if (typeof error === 'string') return error;
  const message = field(error, 'message');
  if (typeof message !== 'string') return JSON.stringify(error) ?? String(error);
  const cause = field(field(error, 'cause'), 'message');
  return typeof cause === 'string' && !message.includes(cause) ? `${message} (${cause})` : message;
}

/**
 * How vendors' own code begins the message of a 400 that has no type of its own for it: Anthropic, and vLLM with what copies it.
 * A constant of their source, as much a fact as a code would be (R8.2).
 */
const overflowBeginnings = [
  'prompt is too long',
  'input length and `max_tokens` exceed',
  "This model's maximum context length",
];

/** The request was longer than the model reads. */
export function saysTooLong(error: unknown): boolean {
  const message = field(field(field(error, 'data'), 'error'), 'message') ?? field(parsedBody(error), 'message');
  return typeof message === 'string' && overflowBeginnings.some((beginning) => message.startsWith(beginning));
}

/** Error bodies are small; a larger one is no error body. */
const bodyMaxChars = 64 * 1024;

/** The body's `error`, where the package could not place it. */
function parsedBody(error: unknown): unknown {
  const body = APICallError.isInstance(error) ? error.responseBody : undefined;
  if (body === undefined || body.length > bodyMaxChars) return undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    return field(parsed, 'error') ?? parsed;
  } catch {
    return undefined; // a proxy's page
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
