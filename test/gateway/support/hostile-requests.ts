import type { Loose } from './read-frames';

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What programs choke on: other types, other alphabets, SQL, paths, numbers past the end, and very much of anything. */
const hostile: readonly unknown[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  "'; drop table attempts; --",
  '%',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '𝕳'.repeat(50),
  'x'.repeat(5_000),
  '{{constructor}}',
  '__proto__',
  null,
  true,
  -1,
  0,
  2 ** 53,
  1e300,
  [],
  [[[]]],
  {},
  { __proto__: { admin: true } },
];

/** Requests without end: each route of the document, with values that fit it, that nearly do, or that do not at all. */
export function fuzzer(document: Loose, random: () => number, ids: readonly string[]): () => HostileRequest {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const often = (share: number) => random() < share;
  const operations = Object.entries<Loose>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Loose>(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

  const made = (schema: Loose, depth = 0): unknown => {
    if (depth > 4 || often(0.15)) return pick(hostile);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    if (schema.anyOf ?? schema.oneOf) return made(pick(schema.anyOf ?? schema.oneOf), depth + 1);
    switch (schema.type) {
      case 'object':
        return objectOf(schema, depth);
      case 'array':
        return Array.from({ length: Math.floor(random() * 3) }, () => made(schema.items ?? {}, depth + 1));
      case 'integer':
      case 'number':
        return Math.floor(random() * 100);
      case 'boolean':
        return often(0.5);
      default:
        return often(0.5)
          ? pick([...ids, 'word', `${pick(ids)}/s1.a0`, '{"task":"fuzzed","kind":"dialog","goal":"g"}'])
          : pick(hostile);
    }
  };
  const objectOf = (schema: Loose, depth: number): unknown => {
    const entries = Object.entries<Loose>(schema.properties ?? {}).filter(
      ([name]) => (schema.required ?? []).includes(name) || often(0.5),
    );
    const object = Object.fromEntries(entries.map(([name, inner]) => [name, made(inner, depth + 1)]));
    return often(0.1) ? { ...object, [String(pick(hostile))]: pick(hostile) } : object;
  };
  const inAddress = (value: unknown): string => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'));
  };

  return () => {
    const { path, method, operation } = pick(operations);
    const parameters: readonly Loose[] = operation.parameters ?? [];
    const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
      name === 'id' && often(0.8) ? inAddress(pick(ids)) : inAddress(name === 'step' && often(0.5) ? 1 : pick(hostile)),
    );
    const query = parameters
      .filter(({ in: where }) => where === 'query' && often(0.4))
      .map(({ name, schema }) => `${name}=${inAddress(made(schema))}`);
    const body = operation.requestBody?.content['application/json'].schema;
    const text = JSON.stringify(body ? made(body) : pick(hostile)) ?? 'null';
    return {
      method: often(0.03) ? pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) : method,
      path: `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: {
        'content-type': often(0.9)
          ? 'application/json'
          : pick(['text/plain', 'application/xml', 'multipart/form-data', '']),
        ...(often(0.3) && { accept: pick(['text/event-stream', 'application/json', '*/*', 'x']) }),
        ...(often(0.2) && { 'last-event-id': pick(['0', '3', '-1', 'x', '99999999999999']) }),
        ...(often(0.3) && {
          'idempotency-key': pick(['k', 'k2', 'x'.repeat(300), `k${Math.floor(random() * 1_000)}`]),
        }),
        ...(often(0.05) && { origin: pick(['null', 'http://127.0.0.1', 'https://evil.example', ':']) }),
        ...(often(0.03) && { host: pick(['evil.example', '', 'localhost', '[::1]:80']) }),
      },
      ...(method === 'POST' && { body: often(0.05) ? text.slice(0, text.length / 2) : text }),
    };
  };
}
