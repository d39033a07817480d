import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { quietBundle } from '../../src/worker/quiet-bundle';
import { tempFolder } from '../support/temp-folder';

const bug = 'function place() { return new Error("a bug").stack; }\nplace();';

test('errors of a workflow keep their words and lose their stack, wherever the bundle is', async () => {
  const codePath = join(tempFolder('holdfast-bundle-'), 'bundle.js');
  writeFileSync(codePath, bug);
  for (const bundle of [{ code: bug }, { codePath }]) {
    const { code } = await quietBundle(bundle);
    expect(runInContext(code, createContext())).toBe('Error: a bug');
  }
  expect(runInContext(bug, createContext())).toContain('at place');
});
