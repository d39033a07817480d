import { checkVersions } from '../../../src/embedded/checks/check-versions';
import type { WorkerVersions } from '../../../src/protocol/worker-versions';

const result = (found: Partial<WorkerVersions>) =>
  checkVersions(async () => ({ polled: [], held: [], ...found })).run();
const polls = (version: string, current: string | undefined = version) => ({ version, current });

test('R12.2 an attempt that is held to a version that nobody polls is named, with both ways out', async () => {
  const attempts = ['a/1', 'b/1', 'c/1', 'd/1', 'e/1'];
  expect(await result({ polled: [polls('shop.1.2')], held: [{ version: 'shop.1.1', attempts }] })).toEqual({
    ok: false,
    found: 'nobody polls shop.1.1, to which a/1, b/1, c/1 and 2 more are held',
    fix: expect.stringMatching(/HOLDFAST_DEPLOYMENT=shop HOLDFAST_BUILD_ID=1\.1\).*`upgrade`.*docs\/operations\.md/),
  });
  expect((await result({ held: [{ version: 'shop.1', attempts: ['a/1'] }] })).found).toBe(
    'nobody polls shop.1, to which a/1 is held',
  );
});

test('R12.2 workers that poll while no version takes new attempts wait in vain, and it is said how to change that', async () => {
  expect(await result({ polled: [{ version: 'shop.1.2', current: undefined }] })).toEqual({
    ok: false,
    found: 'shop.1.2 polls, and no version of its deployment takes new attempts',
    fix: 'temporal worker deployment set-current-version --deployment-name shop --build-id 1.2',
  });
});

test('R12.2 versions that are all polled are fine, and so are workers without any', async () => {
  expect(await result({})).toEqual({ ok: true, found: 'workers have none' });
  const polled = [polls('shop.1', 'shop.2'), polls('shop.2')];
  expect(await result({ polled, held: [{ version: 'shop.1', attempts: ['a/1', 'b/1'] }] })).toEqual({
    ok: true,
    found: 'shop.2 takes new attempts; 2 are held to versions that are polled',
  });
});

test('a service that does not tell is a finding with a way on', async () => {
  const check = checkVersions(() => Promise.reject(new Error('unavailable')));
  expect(await check.run()).toMatchObject({ ok: false, found: expect.stringContaining('unavailable') });
  expect(check.required).toBe(false);
});
