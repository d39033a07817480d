import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hiddenSecret, secretHider } from '../../../src/domain/secrets/hide-secrets';

const hide = secretHider([]);
const root = resolve(__dirname, '../../..');
// Put together here, so that no scanner of this repository takes them for real ones.
const letters = (length: number) => 'aB3dE5gH7jK9mN1pQ2sT4'.repeat(20).slice(0, length);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const pem = (kind: string, body: string) =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`;

test.each([
  ['AWS', `AKIA${'ABCDEFGH234567AB'}`],
  ['GitHub', `ghp_${letters(36)}`],
  ['GitHub, of a kind', `github_pat_${letters(22)}_${letters(59)}`],
  ['GitLab', `glpat-${letters(20)}`],
  ['Slack', `xoxb-${'123456789012'}-${'123456789012'}-${letters(24)}`],
  ['Stripe', `sk_live_${letters(24)}`],
  ['OpenAI', `sk-proj-${letters(48)}`],
  ['Anthropic', `sk-ant-api03-${letters(90)}`],
  ['Google', `AIza${letters(35)}`],
  ['npm', `npm_${letters(36)}`],
  ['a signed token', `${part({ alg: 'HS256' })}.${part({ sub: 'somebody' })}.${letters(43)}`],
  ['a private key', pem('RSA ', `${letters(64)}\n${letters(64)}`)],
])('R10.4 a key of %s is hidden that nobody here knows', (_, secret) => {
  for (const [before, after] of [
    ['', ''],
    ['KEY=', '\n'],
    ['{"key":"', '"}'],
    ['Authorization: Bearer ', ' and more'],
  ] as const)
    expect(hide(before + secret + after)).toBe(before + hiddenSecret + after);
});

test('R10.4 a private key is hidden inside JSON, and the password of an address without what stands around it', () => {
  expect(hide(JSON.stringify({ key: pem('', letters(200)) }))).toBe(`{"key":"${hiddenSecret}"}`);
  expect(hide('postgres://app:dk38fjq02mx7@db.example/main?x=1')).toBe(
    `postgres://app:${hiddenSecret}@db.example/main?x=1`,
  );
});

test.each([
  ['an address with a short password', 'postgres://app:postgres@127.0.0.1:5432/main'],
  [
    'an address with a place for one',
    `https://user:\${PASSWORD_OF_USER}@host and https://me:<your-password-here>@host`,
  ],
  ['code about keys', "if (text.startsWith('AKIA') || text.includes('-----BEGIN PRIVATE KEY-----')) return 'ghp_';"],
  ['marks of a key in code', `const pem = \`-----BEGIN PRIVATE KEY-----\${body}-----END PRIVATE KEY-----\`;`],
  ['a hash and an id', `${'0123456789abcdef'.repeat(4)} 6f1ed002-ab54-4d9b-8a2f-3f1c0f9be7aa sha512-${letters(86)}==`],
  ['a token of a test key', 'sk_test_4eC39HqLyjWDarjtT1zdp7dc sk-short npm_config_registry eyJ.eyJ.x'],
])('R10.4 %s is no secret', (_, text) => {
  expect(hide(text)).toBe(text);
});

test('R10.4 nothing in the sources, pages, schemas and locked packages of this project looks like a secret', () => {
  const files = ['src', 'docs', 'examples', 'schema', 'policy', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    ),
  );
  const changed = [...files, join(root, 'package-lock.json')].filter((file) => {
    const text = readFileSync(file, 'utf8');
    return hide(text) !== text;
  });
  expect(files.length).toBeGreaterThan(300);
  expect(changed).toEqual([]);
});

test.each([
  ['heads of tokens', '-eyJaaaaaaaaaaaa'],
  ['heads of keys', '-----BEGIN PRIVATE KEY-----\n'],
  ['keys without an end', `-----BEGIN PRIVATE KEY-----\n${letters(400)}`.repeat(20)],
  ['halves of tokens', `.eyJ${letters(40)}`],
  ['addresses', 'aa://b:'],
  ['marks', 'xoxb-12345678-'],
])('R10.4 adversarial: two megabytes of %s take no longer than it takes to read them', (_, text) => {
  const long = text.repeat(Math.ceil((2 * 1024 * 1024) / text.length));
  const begun = performance.now();
  hide(long);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
