import { recall } from '../../src/tools/recall';
import { call, toolBench } from './support';

const bench = toolBench({});
afterAll(() => bench.remove());

test('R13.3 recall reads what the record has at a pointer', async () => {
  expect(await call(recall, { pointer: 's1' }, bench.context)).toEqual({ ok: true, output: 'Step 1.' });
});

test('R8.3 a pointer to nothing is answered with the pointers that there are', async () => {
  expect(await call(recall, { pointer: 's99' }, bench.context)).toMatchObject({
    ok: false,
    failure: { class: 'tool_business', code: 'NOTHING_THERE' },
    error: { message: 'The record has nothing at "s99".', suggested_action: expect.stringContaining('s1-s50') },
  });
});

test('R8.6 what recall reads is no state of the world, so it is no look at it', () => {
  expect(recall).toMatchObject({ effect: 'none', workspace: false, looks: false });
});
