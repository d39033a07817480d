import fc from 'fast-check';
import { withoutCredentials } from '../../../src/domain/contract/without-credentials';

test.each([
  ['https://ana:ghp_SECRET@host.example/x.git', 'https://host.example/x.git'],
  ['https://ghp_SECRET@host.example/x.git', 'https://host.example/x.git'],
  ['HTTPS://ana:p@SECRET@host.example:8443/x.git', 'HTTPS://host.example:8443/x.git'],
  ['https://ana:pa/SECRET@host.example/x.git', 'https://host.example/x.git'],
  ['https://ana:pa#SECRET@host.example/x.git', 'https://host.example/x.git'],
  ['https:/ana:SECRET@host.example/x.git', 'https:/host.example/x.git'],
  ['https://host.example/x.git?private_token=SECRET', 'https://host.example/x.git'],
  ['ssh://git:SECRET@host.example:22/x.git', 'ssh://git@host.example:22/x.git'],
  ['git://ana:SECRET@127.0.0.1:9418/repo', 'git://ana@127.0.0.1:9418/repo'],
  ['ana:SECRET@host.example:team/x.git', 'ana@host.example:team/x.git'],
  ['ana:SECRET@host.example/x.git', 'ana@host.example/x.git'],
  [
    "fatal: unable to access 'https://ana:SECRET@host.example/x.git/': no; see https://b:SECRET@host.example",
    "fatal: unable to access 'https://host.example/x.git/': no; see https://host.example",
  ],
])('R10.4 %s loses what may be a secret', (text, clean) => {
  expect(withoutCredentials(text)).toBe(clean);
});

test.each([
  'https://host.example/team/x.git',
  'https://host.example:8443/@scope/x.git',
  'https://[::1]:8443/x.git',
  'ssh://git@host.example:22/x.git',
  'git@host.example:team/x.git',
  'file:///srv/a:b@c/x',
  '/srv/a:b@c/x',
  '../repo',
  'fatal: couldn’t find remote ref HEAD@{1}: none',
])('%s has no secret and stays what it is', (text) => {
  expect(withoutCredentials(text)).toBe(text);
});

const secret = fc.stringMatching(/^[a-z0-9:@#?!$%&=+._~-]{1,20}$/).map((noise) => `${noise}SECRET`);
test('R10.4 no password survives, whatever signs it is made of', () => {
  fc.assert(
    fc.property(fc.constantFrom('https', 'ssh', 'git', 'http'), secret, fc.boolean(), (scheme, password, inText) => {
      const url = `${scheme}://ana:${password}@host.example/x.git`;
      expect(withoutCredentials(inText ? `git clone failed: '${url}': denied` : url)).not.toContain('SECRET');
    }),
  );
});

test('what has lost its secrets loses nothing more', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (text) => {
      const once = withoutCredentials(text);
      expect(withoutCredentials(once)).toBe(once);
    }),
  );
});
