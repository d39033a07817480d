import { Client, type Pool } from 'pg';
import { attemptDetails } from '../../src/ledger/queries/attempt-details';
import { listAttempts } from '../../src/ledger/queries/attempt-list';
import { costByDay } from '../../src/ledger/queries/cost-by-day';
import { eventPage } from '../../src/ledger/queries/event-page';
import { findAttempt } from '../../src/ledger/queries/find-attempt';
import { inbox } from '../../src/ledger/queries/inbox';
import { tenantCostSoFar } from '../../src/ledger/tenant-cost';
import type { AttemptRef } from '../../src/protocol/ids';

export const attempts = 5_000;
export const eventsOfEach = 200;
const stepsOfEach = 20;

/**
 * Fills a ledger as a busy installation leaves it: most attempts are one tenant's and ended, some run or wait, and each has its steps, tries,
 * and events. Written past the application, a table at a time.
 */
export async function fillLedger(url: string, tenant: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set search_path = holdfast');
    for (const text of statements) await client.query(text.replaceAll('$tenant', `'${tenant}'`));
  } finally {
    await client.end();
  }
}

const owner = `case when n % 5 = 0 then 'tenant-' || n % 50 else $tenant end`;
const each = `generate_series(1, ${attempts}) n`;
const account = `'{"turns":1,"toolCalls":9,"tokens":900,"costMicroUsd":1200,"reservedTokens":0,"reservedCostMicroUsd":0,"repairs":0,"runtimeMs":1}'`;
const statements = [
  `insert into tenants (tenant) select distinct ${owner} from ${each}`,
  `insert into tasks (tenant, task) select ${owner}, 'task-' || n from ${each}`,
  `insert into contracts (tenant, task, version, hash, body)
     select ${owner}, 'task-' || n, 1, 'h', '{"kind":"dialog","goal":"Do it.","constraints":[],"forbidden":[],"tools":[],"acceptance":[]}' from ${each}`,
  `insert into threads (tenant) select ${owner} from ${each}`,
  `insert into attempts (tenant, task, number, contract_version, thread, start_hash, start, account, limits, state, reason, step, sequence, kin_after, created_at, ended_at)
     select tenant, task, 1, 1, n, 'h', '{"models":["m"],"versions":{},"snapshot":{"kind":"dialog","hasWorkspace":false,"criteria":[],"models":[]}}', ${account}, '{}',
       case when n % 100 = 1 then 'SUSPENDED' when n % 100 = 2 then 'WAITING_FOR_APPROVAL' when n % 3 = 0 then 'FAILED' else 'COMPLETED' end,
       case when n % 100 = 1 then 'budget_exceeded' when n % 100 = 2 then null when n % 3 = 0 then 'failed' else 'success' end,
       ${stepsOfEach}, ${eventsOfEach}, 0, now() - n * interval '5 minutes', case when n % 100 not in (1, 2) then now() - n * interval '4 minutes' end
     from (select n, ${owner} as tenant, 'task-' || n as task from ${each}) s order by n`,
  `insert into inputs (attempt, ordinal, turn, after_step, kind, body) select key, 1, 1, 0, 'message', '{"text":"Please."}' from attempts`,
  `insert into turns (attempt, turn, first_step) select key, 1, 1 from attempts`,
  `insert into steps (attempt, step, turn, stop, body, tokens)
     select key, s, 1, '{"kind":"tools"}', '{"text":"I look."}', 9 from attempts, generate_series(1, ${stepsOfEach}) s`,
  `insert into actions (attempt, step, index, call_id, tool, effect, args, args_hash)
     select key, s, 0, 'c', 'read_file', 'none', '{"text":"{}"}', 'h' from attempts, generate_series(1, ${stepsOfEach}) s`,
  `insert into model_tries (attempt, step, try, execution, model, reserved, opened_at, closed_at, outcome, usage)
     select key, s, 1, 1, 'm', '{"costMicroUsd":9}', created_at, created_at, 'answered', '{"costMicroUsd":9}' from attempts, generate_series(1, ${stepsOfEach}) s`,
  `insert into approvals (attempt, step, index, ordinal, binding, rule, policy, tool, target, approvers, needed, channel, expires_at)
     select key, ${stepsOfEach}, 0, 1, 'b', 'r', 'p', 'refund', 't', '[]', 1, 'asserted', 4e12 from attempts where state = 'WAITING_FOR_APPROVAL'`,
  `insert into effects (tenant, key, generation, attempt, step, index, tool, class, target, args_hash, phase, fence, n, owner, rule, policy, sent_at)
     select tenant, 'refund/' || key, 1, key, 1, 0, 'refund', 'unsafe', 't' || key, 'h', case when key % 500 = 1 then 'UNKNOWN' else 'COMMITTED' end, 1, 1, gen_random_uuid(), 'r', 'p', now() from attempts`,
  `insert into events (attempt, sequence, move, k, type, turn, step, visibility, payload)
     select key, s, s, 0, case when s % 50 = 0 then 'budget_exceeded' when s % 9 = 0 then 'action_denied' else 'action_started' end, 1, s / 10, 'user',
       '{"index":0,"tool":"read_file","try":1,"limit":"tokens"}' from attempts, generate_series(1, ${eventsOfEach}) s`,
  'analyze',
];

/** What a console asks of such a ledger, by name. `ref`: an attempt of the tenant's. */
export function questionsOf(
  tenant: string,
  ref: AttemptRef,
): readonly (readonly [string, (from: Pool) => Promise<unknown>])[] {
  const pageSize = 50;
  const tenthPage = async (from: Pool) => (await listAttempts(from, tenant, { limit: 9 * pageSize })).next ?? undefined;
  let cursor: Promise<string | undefined> | undefined;
  return [
    ['list', (from) => listAttempts(from, tenant, { limit: pageSize })],
    ['list --open', (from) => listAttempts(from, tenant, { open: true, limit: pageSize })],
    [
      'list by state, kind and text',
      (from) => listAttempts(from, tenant, { state: 'FAILED', kind: 'dialog', text: 'task-1', limit: pageSize }),
    ],
    [
      'the tenth page of a list',
      async (from) => {
        cursor ??= tenthPage(from);
        return listAttempts(from, tenant, { limit: pageSize, cursor: await cursor });
      },
    ],
    ['@last', (from) => findAttempt(from, tenant, '@last')],
    ['show', (from) => attemptDetails(from, ref)],
    ['inbox', (from) => inbox(from, tenant)],
    ['a page of events', (from) => eventPage(from, ref, eventsOfEach / 2, 2 * pageSize)],
    ['cost of a month', (from) => tenantCostSoFar(from, tenant, new Date(Date.now() - 30 * 86_400_000))],
    ['cost by day, a week', (from) => costByDay(from, tenant, 7)],
  ];
}
