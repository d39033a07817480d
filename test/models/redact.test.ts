import { emptyAnswer } from '../../src/models/read-answer';
import { redactedDetail, secretHeaderValues } from '../../src/models/redact';
import { createAnswerRedactor } from '../../src/models/redact-answer';

const key = 'sk-advSECRET-77777777';
const escaped = [...key].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');

test.each([
  ['as it is', key],
  ['in capitals', key.toUpperCase()],
  ['spaced', [...key].join(' ')],
  ['over lines', key.replace(/-/g, '-\n  ')],
  ['in hex', Buffer.from(key).toString('hex').toUpperCase()],
  ['in base64', btoa(key)],
  ['in base64url', Buffer.from(key).toString('base64url')],
  ['percent-encoded', [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')],
  ['escaped', escaped],
  ['twice escaped', JSON.stringify(escaped)],
])('R10.4 an error that echoes a secret %s does not show it', (_, echo) => {
  expect(redactedDetail(`bad key <${echo}>.`, [key]).replace(/["\\]/g, '')).toBe('bad key <[redacted]>.');
});

test('R10.4 what is shown of a long text never holds the secret at which reading ended', () => {
  const long = 'x1'.repeat(1_500);
  expect(redactedDetail(long.repeat(2_000), [long])).not.toContain('x1');
});

test('R10.4 a text made to be searched for ever is not', () => {
  const secret = `${'\\'.repeat(40)}"`.repeat(5);
  expect(redactedDetail('\\'.repeat(10_000_000), [secret, 'aaaaaaaaab']).length).toBeLessThan(600);
});

test('R10.4 of a header with a scheme the token alone is a secret too', () => {
  expect(secretHeaderValues({ Authorization: 'Bearer tok-123', 'X-Step': '1' })).toEqual(['Bearer tok-123', 'tok-123']);
});

describe('R10.4 an answer that echoes a secret leaves without it', () => {
  const redactor = createAnswerRedactor([key, 'ollama', 'with/"signs"-0123456789']);
  const argsOf = (rawArgs: string) =>
    redactor.answer({ ...emptyAnswer(), calls: [{ callId: key, tool: key, rawArgs }] }).calls[0];

  test('in its text and the name of the model', () => {
    const answer = { ...emptyAnswer(), text: `Your key is ${key} and ${key}; ollama is a word.`, servedBy: key };
    expect(redactor.answer(answer)).toEqual({
      text: 'Your key is [redacted] and [redacted]; ollama is a word.',
      calls: [],
      servedBy: '[redacted]',
    });
  });
  test('in calls, however JSON spells it, and other arguments stay as they were', () => {
    expect(argsOf(`{"a":"${key}"}`)).toEqual({
      callId: '[redacted]',
      tool: '[redacted]',
      rawArgs: '{"a":"[redacted]"}',
    });
    expect(argsOf(`{"a":"${escaped}"}`)?.rawArgs).toBe('{"a":"[redacted]"}');
    expect(argsOf(JSON.stringify({ a: 'with/"signs"-0123456789' }))?.rawArgs).toBe('{"a":"[redacted]"}');
    expect(argsOf('{"a":"with\\/\\"signs\\"-0123456789"}')?.rawArgs).toBe('{"a":"[redacted]"}');
    expect(argsOf('{"a":"\\u0041\\u00e9 sk-adv"}')?.rawArgs).toBe('{"a":"\\u0041\\u00e9 sk-adv"}');
  });
  test('in its preview, cut anywhere', () => {
    for (let cut = 0; cut <= key.length; cut += 1) {
      const shown: string[] = [];
      const show = redactor.preview((text) => shown.push(text));
      for (const delta of ['key ', key.slice(0, cut), key.slice(cut), ' s', 'k it is.']) show(delta);
      expect(shown.join('')).toBe('key [redacted] sk it is.');
    }
  });
});
