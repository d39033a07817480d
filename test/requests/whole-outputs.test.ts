import { createFileStore } from '../../src/artifacts/file-store';
import { loadConfig } from '../../src/config';
import type { CheckedCriterion } from '../../src/ledger/queries/attempt-details';
import { wholeOutputs } from '../../src/requests/documents/whole-outputs';
import type { Session } from '../../src/requests/session';
import { tempFolder } from '../support/temp-folder';

const config = loadConfig({ cwd: tempFolder('holdfast-outputs-'), env: {} });
const session: Session = {
  config,
  tenant: 'default',
  sender: { door: 'cli', name: 'ana' },
  get pool(): never {
    throw new Error('nothing is read from the database');
  },
  temporal: () => Promise.reject(new Error('nothing is asked of Temporal')),
};
const check = (artifact: CheckedCriterion['artifact']): CheckedCriterion => ({
  id: 'tests',
  check: 'command',
  met: false,
  candidate: 1,
  detail: 'exit code 1',
  output: 'the end',
  artifact,
});

test('R10.3 a long output is read whole from the object store; the excerpt stands where that is not possible', async () => {
  const whole = 'all of it\n'.repeat(10_000);
  const body = Buffer.from(whole);
  const hash = await createFileStore(config.objectStore).put('default', body);
  const outputs = await wholeOutputs(session, [
    check({ hash, bytes: body.byteLength }),
    check({ hash: 'f'.repeat(64), bytes: 9 }),
    check({ hash, bytes: 1024 ** 3 }),
    check(null),
  ]);
  expect(outputs.map(({ output }) => output)).toEqual([whole, 'the end', 'the end', 'the end']);
});
