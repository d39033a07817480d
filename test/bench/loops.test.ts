import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loopMarkdown, loopTable } from '../../bench/lib/loops/loop-table';

/** More than is published: a rule that fits twenty recordings only is no rule. */
const many = 60;

test('R7.3 no honest recording is warned of, and every true loop is stopped by its fourth repeat', () => {
  for (const { kind, isLoop, falseAlarms, stopped, endedBy, recordings } of loopTable(many)) {
    expect([kind, falseAlarms]).toEqual([kind, 0]);
    if (!isLoop) expect([kind, stopped]).toEqual([kind, 0]);
    else {
      expect([kind, stopped]).toEqual([kind, recordings]);
      expect(endedBy).toBeLessThanOrEqual(kind.startsWith('true loops') ? 4 : 16);
    }
  }
});

test('R7.3 the published table is what the recordings give', () => {
  expect(readFileSync(join(__dirname, '../../docs/loops.md'), 'utf8')).toContain(loopMarkdown(loopTable(20)));
});
