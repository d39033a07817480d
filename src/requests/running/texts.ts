import { loadBody, storeBody } from '../../activities/bodies';
import { createFileStore } from '../../artifacts/file-store';
import type { Texts } from '../../ledger/texts';
import type { Session } from '../session';

/** Where long texts of the session's tenant are kept. */
export function textsOf({ config, tenant }: Pick<Session, 'config' | 'tenant'>): Texts {
  const artifacts = createFileStore(config.objectStore);
  return {
    store: (text) => storeBody(artifacts, tenant, text),
    load: (body) => loadBody(artifacts, tenant, body),
  };
}
