import { checkTemporalServes } from '../../../src/embedded/temporal/temporal-probe';
import { withServer } from '../support/index-server';

test('where nothing listens it fails at once', async () => {
  await expect(checkTemporalServes('127.0.0.1:1')).rejects.toThrow(/ECONNREFUSED/);
});

test('a server that speaks something else is not taken for Temporal', async () => {
  await withServer(
    (_, response) => response.end('hello'),
    (url) => expect(checkTemporalServes(new URL(url).host)).rejects.toThrow(),
  );
});
