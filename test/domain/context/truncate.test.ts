import fc from 'fast-check';
import { headTail, inlineBytesMax } from '../../../src/domain/context/truncate';

const hash = 'ab'.repeat(32);
const size = (text: string) => Buffer.byteLength(text);

test('a text that fits is shown whole, to the byte', () => {
  const text = 'é'.repeat(inlineBytesMax / 2);
  expect(headTail(text, inlineBytesMax, hash)).toBe(text);
  expect(headTail(`${text}x`, inlineBytesMax, hash)).not.toContain(`${text}x`);
});

test('R10.3 a long text keeps its head and its tail, and says how to read what is between', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n');
  const cut = headTail(lines, inlineBytesMax, hash);

  const parts =
    /^([\s\S]*)\n\[\.\.\. (\d+) bytes left out here\. Read them with read_artifact (\{.*\}) \.\.\.\]\n([\s\S]*)$/.exec(
      cut,
    );
  const [head = '', missing, call = '', tail = ''] = parts?.slice(1) ?? [];
  expect(lines.startsWith(head)).toBe(true);
  expect(lines.endsWith(tail)).toBe(true);
  expect(head).toContain('line 0\n');
  expect(tail).toContain('line 4999');
  expect(Number(missing)).toBe(size(lines) - size(head) - size(tail));
  expect(JSON.parse(call)).toEqual({ hash, offset: size(head) });
});

test('no cut falls inside a character, and the size is kept', () => {
  const text = fc
    .array(fc.constantFrom('a', 'é', '€', '😀', '\n', '\uFEFF'), { minLength: 300, maxLength: 900 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 200, max: 290 }), (whole, maxBytes) => {
      const cut = headTail(whole, maxBytes, hash);
      expect(size(cut)).toBeLessThanOrEqual(maxBytes);
      expect(cut).not.toContain('\uFFFD');
      const [head = '', tail = ''] = cut.split(/\n\[\.\.\. .* \.\.\.\]\n/);
      expect(whole.startsWith(head)).toBe(true);
      expect(whole.endsWith(tail)).toBe(true);
      expect(maxBytes - size(cut)).toBeLessThan(16); // and nearly used up
    }),
  );
});

test('a limit without room for the pointer is a bug of the caller', () => {
  expect(() => headTail('x'.repeat(500), 20, hash)).toThrow(RangeError);
});
