import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hostName } from '../../src/workspace/host-name';
import { tempFolder } from '../support/temp-folder';

test('M9 a data folder has one name, which stays; another folder on the same machine has another', () => {
  const [one, two] = [join(tempFolder('holdfast-host-'), 'data'), join(tempFolder('holdfast-host-'), 'data')];
  const name = hostName(one);
  expect(name).toMatch(/^[a-z0-9-]+-[0-9a-f]{8}$/);
  expect(hostName(one)).toBe(name);
  expect(hostName(two)).not.toBe(name);
  expect(readdirSync(one)).toEqual(['host']);
});
