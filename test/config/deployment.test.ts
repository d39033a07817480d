import { environmentOfChild, loadConfig } from '../../src/config';
import { deploymentOf } from '../../src/config/deployment';
import { tempFolder } from '../support/temp-folder';

const version = { HOLDFAST_DEPLOYMENT: 'holdfast', HOLDFAST_BUILD_ID: '1.4.0-ab12' };

test('R12.2 a worker is a build of a deployment, or has no version', () => {
  expect(deploymentOf(version)).toEqual({ deploymentName: 'holdfast', buildId: '1.4.0-ab12' });
  expect(deploymentOf({ HOLDFAST_DEPLOYMENT: '', HOLDFAST_BUILD_ID: '' })).toBeUndefined();
});

test.each([
  [{ HOLDFAST_DEPLOYMENT: 'holdfast' }, 'HOLDFAST_BUILD_ID is not'],
  [{ HOLDFAST_BUILD_ID: '1' }, 'HOLDFAST_DEPLOYMENT is not'],
  [{ ...version, HOLDFAST_DEPLOYMENT: 'hold.fast' }, 'HOLDFAST_DEPLOYMENT is "hold.fast"'],
  [{ ...version, HOLDFAST_BUILD_ID: "1' or '1" }, 'HOLDFAST_BUILD_ID is'],
])('R12.2 half a version, or one that Temporal does not take, is an error at the start: %j', (env, why) => {
  expect(() => deploymentOf(env)).toThrow(why);
});

test('R12.2 the embedded worker has no version, one of your own servers has', () => {
  const servers = { databaseUrl: 'postgres://db/x', temporalAddress: '127.0.0.1:7233', namespace: 'default' };
  const load = (env: Record<string, string>) => loadConfig({ cwd: tempFolder('holdfast-config-'), env });
  const embedded = load(version);
  expect(load(toGiven(environmentOfChild(embedded, servers))).deployment).toBeUndefined();
  const own = load({ ...version, TEMPORAL_ADDRESS: 'temporal:7233' });
  expect(load(toGiven(environmentOfChild(own, servers))).deployment).toEqual(own.deployment);
  expect(own.deployment?.buildId).toBe('1.4.0-ab12');
});

function toGiven(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
