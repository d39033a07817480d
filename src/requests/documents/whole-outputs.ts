import { createFileStore } from '../../artifacts/file-store';
import type { CheckedCriterion } from '../../ledger/queries/attempt-details';
import type { Session } from '../session';

/** A document of `--json` is held in memory by whoever reads it; what is larger is named by its hash. */
const wholeOutputMaxBytes = 4 * 1024 * 1024;

/** Checks with all that they printed, where the object store is at hand and it is no more than `wholeOutputMaxBytes`. */
export function wholeOutputs(
  { config, tenant }: Session,
  checks: readonly CheckedCriterion[],
): Promise<readonly CheckedCriterion[]> {
  const store = createFileStore(config.objectStore);
  return Promise.all(
    checks.map(async (check) => {
      if (check.artifact === null || check.artifact.bytes > wholeOutputMaxBytes) return check;
      // The excerpt stands where the store is on another machine or has lost the body.
      const body = await store.get(tenant, check.artifact.hash).catch(() => undefined);
      return body === undefined ? check : { ...check, output: Buffer.from(body).toString('utf8') };
    }),
  );
}
