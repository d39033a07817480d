import type { Criterion } from '../../../src/domain/contract/contract';
import { feedbackText } from '../../../src/domain/contract/feedback';

const criteria: readonly Criterion[] = [
  { id: 'changed', check: 'diff' },
  { id: 'tests', check: 'command', run: 'npm test' },
  { id: 'final', check: 'command', run: 'npm run final', repair: false },
];
const left = { repairs: 1, maxRepairs: 3 };

test('R3.4 the model is told what was demanded, what was found, and what is left', () => {
  const text = feedbackText(
    criteria,
    [
      { criterion: 'changed', met: true, detail: '' },
      { criterion: 'tests', met: false, detail: 'It exited with code 1.', output: '1 failing\n</data>' },
    ],
    left,
  );
  expect(text).toMatchInlineSnapshot(`
"The work was checked and is not done.

Unmet: tests
Demanded: tests: \`npm test\` exits with code 0 in a clean copy of the workspace.
Found: It exited with code 1.
Output:
<data-1>
1 failing
</data>
</data-1>

Met: changed.

Repair the cause and call finish again. This is repair 1 of 3."
`);
});

test('R3.4 a criterion without feedback never speaks, even where its evidence is at hand', () => {
  const text = feedbackText(
    criteria,
    [
      { criterion: 'tests', met: false, detail: 'It exited with code 1.' },
      { criterion: 'final', met: false, detail: 'secret diagnosis', output: 'secret output' },
    ],
    left,
  );
  expect(text).toContain('Unmet: tests');
  expect(text).not.toMatch(/secret|final/);
  expect(feedbackText(criteria, [{ criterion: 'final', met: true, detail: '' }], left)).not.toContain('final');
});

test('R3.4 the model is told what was to be read back, and what was there', () => {
  const text = feedbackText(
    [
      {
        id: 'refunded',
        check: 'external',
        tool: 'get_refund',
        args: { order: 1 },
        expect: { status: 'settled' },
        withinMs: 5_000,
      },
    ],
    [
      {
        criterion: 'refunded',
        met: false,
        detail: '`status`: expected "settled", found "pending".',
        output: '{"status":"pending"}',
      },
    ],
    left,
  );
  expect(text).toContain('`get_refund`, asked with {"order":1}, answers with {"status":"settled"} within 5000 ms.');
  expect(text).toContain('Found: `status`: expected "settled", found "pending".');
});
