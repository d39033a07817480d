import { approvalContract } from './approvals';
import { bundleContract } from './bundles';
import { checkpointContract } from './checkpoints';
import { childContract } from './children';
import type { ContractWorld } from './contract-world';
import { effectLockContract } from './effect-locks';
import { effectContract } from './effects';
import { eventContract } from './events';
import { executionContract } from './executions';
import { historyContract } from './history';
import { jobContract } from './jobs';
import { kinContract } from './kin';
import { messageContract } from './messages';
import { otherActionContract } from './other-actions';
import { raceContract } from './races';
import { recordContract } from './record';
import { sendContract } from './sends';
import { trailContract } from './trail';
import { transactionContract } from './transactions';
import { tryContract } from './tries';

/** What every LedgerPort must do, over whatever keeps its rows. */
export function ledgerContract(open: () => Promise<ContractWorld>): void {
  let world: ContractWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());
  const opened = () => world;

  describe('transactions', () => transactionContract(opened));
  describe('executions', () => executionContract(opened));
  describe('messages', () => messageContract(opened));
  describe('events', () => eventContract(opened));
  describe('tries', () => tryContract(opened));
  describe('the trail', () => trailContract(opened));
  describe('history', () => historyContract(opened));
  describe('the record', () => recordContract(opened));
  describe('checkpoints', () => checkpointContract(opened));
  describe('kin', () => kinContract(opened));
  describe('effects', () => effectContract(opened));
  describe('locks of effects', () => effectLockContract(opened));
  describe('sends', () => sendContract(opened));
  describe('approvals', () => approvalContract(opened));
  describe('jobs', () => jobContract(opened));
  describe('attempts side by side', () => raceContract(opened));
  describe('children', () => childContract(opened));
  describe('bundles and hosts', () => bundleContract(opened));
  describe('other actions', () => otherActionContract(opened));
}
