import type { VersionsPort } from '../../src/activities/ports';

/** The same wherever a test runs, so that nothing has changed until a test changes it. */
export const testVersions: VersionsPort = { code: 'code 1', environment: 'environment 1' };
