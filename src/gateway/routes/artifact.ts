import { isUtf8 } from 'node:buffer';
import { mayReadArtifact } from '../../ledger/queries/artifact-readers';
import { audienceOf } from '../../protocol/roles';
import { Problem } from '../problem';
import { route } from '../route';

export const artifactRoute = route({
  method: 'GET',
  path: '/v1/artifacts/{hash}',
  act: 'read',
  summary: 'A long text or a file, by the SHA-256 of its bytes, as plain text or as a download.',
  answers: { type: 'application/octet-stream' },
  handle: async ({ gateway, caller, session, params, reply }) => {
    const { hash = '' } = params;
    const missing = new Problem('not_found', `There is no artifact "${hash}" that you may read.`);
    if (!(await mayReadArtifact(session.pool, caller.tenant, hash, audienceOf(caller)))) throw missing;
    const body = await gateway.artifacts.get(caller.tenant, hash);
    if (body === undefined) throw missing;
    const bytes = Buffer.from(body);
    // Whatever an agent or a tool wrote is shown as text or saved, and never run in the gateway's name.
    void reply
      .header('content-disposition', `attachment; filename="${hash}"`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, max-age=31536000, immutable')
      .type(isUtf8(bytes) ? 'text/plain; charset=utf-8' : 'application/octet-stream');
    return bytes;
  },
});
