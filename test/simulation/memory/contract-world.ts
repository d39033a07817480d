import { defaultLimits } from '../../../src/domain/budget/account';
import type { ContractWorld } from '../../ledger/contract/contract-world';
import { contract, startRequest } from '../../ledger/support/ledger';
import { storeInMemory } from './inbox';
import { endLeaseInMemory, registerInMemory } from './leases';
import { MemoryLedger } from './ledger';
import { plainLine } from './line';
import { attemptTables } from './reads';
import { startInMemory } from './start';

/** The contract's world on a ledger in memory, by this machine's clock. Its tests take less than a lease, so none is renewed. */
export function openMemoryWorld(): Promise<ContractWorld> {
  const ledger = new MemoryLedger(() => Date.now());
  let tasks = 0;
  return Promise.resolve({
    port: () => ledger.port(plainLine),
    async attempt(change = {}) {
      tasks += 1;
      const { snapshot } = startRequest();
      return startInMemory(ledger, {
        tenant: change.tenant ?? 'default',
        task: change.task ?? `task-${tasks}`,
        contract: { ...contract, ...change.contract },
        limits: { ...defaultLimits, ...change.limits },
        input: change.input ?? 'Please.',
        snapshot,
        versions: change.versions ?? {},
        by: change.by ?? '',
        ...(change.forkedFrom && { forkedFrom: change.forkedFrom }),
      });
    },
    async race(of) {
      tasks += 1;
      const { snapshot } = startRequest();
      const race = { first: 1, of };
      const start = { ...{ tenant: 'default', task: `race-${tasks}`, contract, limits: defaultLimits }, by: '' };
      return Array.from({ length: of }, () =>
        startInMemory(ledger, { ...start, input: 'Please.', snapshot: { ...snapshot, race } }),
      );
    },
    async worker(workspaceHost) {
      const id = registerInMemory(ledger, workspaceHost);
      return { id, end: async () => endLeaseInMemory(ledger, id) };
    },
    async send(ref, message) {
      await storeInMemory(ledger, ref, message);
    },
    async revoke(tenant, revocation) {
      ledger.tables.revocations.push({ tenant, ...revocation });
    },
    async events(ref) {
      return [...attemptTables(ledger.tables, ref.key).events.values()];
    },
    close: () => Promise.resolve(),
  });
}
