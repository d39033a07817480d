import { ledgerContract } from './contract/ledger-contract';
import { openPostgresWorld } from './support/postgres-world';

ledgerContract(openPostgresWorld);
