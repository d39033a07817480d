/** Of a test that starts nothing, ms: what takes a tenth of a second alone took six where every core was busy. */
const unitTestMs = 30_000;

jest.setTimeout(unitTestMs);
