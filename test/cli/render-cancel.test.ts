import { renderCancel } from '../../src/cli/render-cancel';

const asked = { requestedAt: '2026-01-02T03:04:05.000Z', committed: [] };

test('R11.3 a cancel says of processes what was looked at, and nothing where there was no workspace', () => {
  expect(renderCancel({ ...asked, processes: true }).join('\n')).toContain('no process of its workspace runs any more');
  expect(renderCancel(asked)).toEqual([expect.stringContaining('nothing of it is left')]);
});

test('R11.2 a cancel that came too late says what took effect all the same, and when', () => {
  const late = { action: 'refund/1/s1.a0', effect: 'default/create_refund/1042/g1', at: '2026-01-02T03:04:06.000Z' };
  const [line, ...rest] = renderCancel({ ...asked, committed: [late] });
  expect(line).toMatch(/had already been committed at 2026-01-02T03:04:06/);
  expect(line).toContain('1042');
  expect(rest).toEqual([]);
});
