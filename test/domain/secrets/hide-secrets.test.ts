import fc from 'fast-check';
import { secretHider } from '../../../src/domain/secrets/hide-secrets';

const secret = 'sk-live-0123"456\\789/x';
const hide = secretHider([secret]);

test.each([
  ['as it is', secret],
  ['inside JSON', JSON.stringify({ error: secret })],
  ['inside an address', `https://shop.example/?key=${encodeURIComponent(secret)}`],
  ['in base64', `Basic ${Buffer.from(secret).toString('base64')}`],
  ['in base64 of addresses', Buffer.from(secret).toString('base64url')],
  ['in hex', Buffer.from(secret).toString('hex')],
  ['several times', `${secret}${secret} and ${secret}`],
])('R10.4 a secret is hidden %s', (_, text) => {
  const shown = hide(text);
  expect(shown).toContain('(secret)');
  for (const form of [secret, secret.slice(0, 10), Buffer.from(secret).toString('hex')])
    expect(shown).not.toContain(form);
});

test('R10.4 the token behind a scheme, a line of a key, and one secret in another', () => {
  const all = secretHider([
    'Bearer abcdefghijkl-1',
    '-----BEGIN-----\nMIIEvQIBADANBg\n-----END-----',
    'abcdefghijkl-1-more',
  ]);
  expect(all('with abcdefghijkl-1')).toBe('with (secret)');
  expect(all('MIIEvQIBADANBg')).toBe('(secret)');
  expect(all('abcdefghijkl-1-more')).toBe('(secret)');
});

test('R10.4 a word is no secret, and nothing is none', () => {
  expect(secretHider(['postgres', '', 'not-needed'])('postgres not-needed ')).toBe('postgres not-needed ');
  expect(secretHider([])('any')).toBe('any');
});

test('R10.4 whatever stands around it, a secret is not in the text, and a text without one is as it was', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      expect(hide(before + secret + after)).not.toContain(secret);
      expect(hide(before)).toBe(before);
    }),
  );
});
