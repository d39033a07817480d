import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { quietBundle } from '../../src/worker/quiet-bundle';

const bug = 'function place() { return new Error("a bug").stack; }\nplace();';

test('errors of a workflow keep their words and lose their stack, wherever the bundle is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bundle-'));
  try {
    const codePath = join(folder, 'bundle.js');
    writeFileSync(codePath, bug);
    for (const bundle of [{ code: bug }, { codePath }]) {
      const { code } = await quietBundle(bundle);
      expect(runInContext(code, createContext())).toBe('Error: a bug');
    }
    expect(runInContext(bug, createContext())).toContain('at place');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
