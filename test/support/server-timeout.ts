/** Of a test or hook that needs servers, ms: what takes a second alone takes many where every core is busy. */
const serverTestMs = 180_000;

jest.setTimeout(serverTestMs);
