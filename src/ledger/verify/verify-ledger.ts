import type { Pool } from 'pg';
import type { Contract } from '../../domain/contract/contract';
import { contractHash } from '../../domain/contract/hash';
import { ledgerError } from '../unavailable';
import { approvalRules } from './approval-rules';
import { effectRules } from './effect-rules';
import { historyRules } from './history-rules';
import { moneyRules } from './money-rules';
import type { LedgerRule } from './rule';

/** One thing that is wrong with a ledger. */
export interface Finding {
  readonly rule: string;
  /** `<tenant>/<attempt id>`, or the task of a contract. */
  readonly where: string;
  readonly what: string;
}

export const ledgerRules: readonly LedgerRule[] = [...historyRules, ...moneyRules, ...effectRules, ...approvalRules];
export const contractRule = 'R12.1 the hash of a contract is that of its body';

/** As many as show what is wrong; a rule that is broken everywhere has one cause. */
const findingsPerRuleMax = 20;
/** Contracts read at once; each is some KB. */
const contractsPerPage = 200;

/** Checks the rules over all rows; empty where the ledger is sound. Throws LedgerUnavailableError. */
export async function verifyLedger(pool: Pick<Pool, 'query'>): Promise<readonly Finding[]> {
  try {
    const found: Finding[] = [];
    for (const rule of ledgerRules) found.push(...(await broken(pool, rule)));
    return [...found, ...(await brokenContracts(pool))];
  } catch (error) {
    throw ledgerError(error);
  }
}

async function broken(pool: Pick<Pool, 'query'>, { rule, broken: query }: LedgerRule): Promise<Finding[]> {
  const { rows } = await pool.query<{ where: string; what: string }>(
    `select coalesce(a.tenant || '/' || a.task || '/' || a.number, 'attempt ' || b.attempt) as where, b.what
     from (${query}) b (attempt, what) left join attempts a on a.key = b.attempt order by b.attempt, b.what limit ${findingsPerRuleMax}`,
  );
  return rows.map((row) => ({ rule, ...row }));
}

async function brokenContracts(pool: Pick<Pool, 'query'>): Promise<Finding[]> {
  const found: Finding[] = [];
  let after: [string, string, number] = ['', '', 0];
  for (;;) {
    const { rows } = await pool.query<{ tenant: string; task: string; version: number; hash: string; body: Contract }>(
      `select tenant, task, version, hash, body from contracts where (tenant, task, version) > ($1, $2, $3)
       order by tenant, task, version limit ${contractsPerPage}`,
      after,
    );
    for (const { tenant, task, version, hash, body } of rows) {
      const what = `version ${version} has the hash ${hash}, and its body ${contractHash(body)}`;
      if (hash !== contractHash(body)) found.push({ rule: contractRule, where: `${tenant}/${task}`, what });
      after = [tenant, task, version];
    }
    if (rows.length < contractsPerPage) return found.slice(0, findingsPerRuleMax);
  }
}
