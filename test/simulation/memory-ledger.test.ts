import { ledgerContract } from '../ledger/contract/ledger-contract';
import { openMemoryWorld } from './memory/contract-world';

ledgerContract(openMemoryWorld);
