/** Of a test or hook that needs servers, ms: longer than what it waits for may take, which then says what that was. */
const serverTestMs = 360_000;

jest.setTimeout(serverTestMs);
