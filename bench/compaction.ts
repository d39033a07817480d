/**
 * What views and compactions cost at step 1,000, and with 2,000 records: the pure half (building the view, collecting and
 * fitting the protected items, judging the projection), and the same with the rows read from a ledger, where a projection's
 * judgement has everything recalled that it leaves out.
 */
import { collectItems } from '../src/domain/context/collect-items';
import type { ItemRows } from '../src/domain/context/item-rows';
import { makeProjection } from '../src/domain/context/make-projection';
import { planCompaction, visibleStepsMax } from '../src/domain/context/plan-compaction';
import type { Projection } from '../src/domain/context/projection';
import { type ProjectionFacts, validateProjection } from '../src/domain/context/validate-projection';
import { buildView } from '../src/domain/context/view';
import type { ViewFacts, ViewStep } from '../src/domain/context/view-facts';
import type { Contract } from '../src/domain/contract/contract';
import { createTokenCounter } from '../src/models/token-count';
import { CompactionLedger } from './lib/compaction-ledger';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { median, quantile } from './lib/stats';
import { openWorld } from './lib/world';

const viewMsMax = 20;
const validationMsMax = 50;
/** Enough for the code to be compiled, as it is in a worker that has run an attempt for a while. */
const warmUps = 20;

const options = readOptions('Views and compactions of a long attempt, without and with a ledger.', {
  steps: { value: 1_000, about: 'steps of the attempt' },
  records: { value: 2_000, about: 'protected items that are judged, and steps behind them' },
  runs: { value: 200, about: 'times that each is measured' },
});
const { steps, records, runs } = options.numbers;

const contract: Contract = {
  kind: 'business_action',
  goal: 'Put every order of the list in the register, once, and say which could not be put there.',
  constraints: ['Change no order.', 'Never send mail.'],
  forbidden: ['run_command'],
  tools: ['read_order', 'put_order'],
  acceptance: [],
};
/** About 200 tokens. */
const output = JSON.stringify({
  ok: true,
  order: 7,
  lines: Array.from({ length: 40 }, (_, k) => `item ${k}: ${k * 7}`),
});

const step = (number: number): ViewStep => ({
  step: number,
  text: `Putting order ${number}.`,
  calls: [{ callId: `call_${number}`, tool: 'put_order', rawArgs: `{"order":${number}}`, output }],
});
const plan = Array.from({ length: 50 }, (_, k) => ({
  id: `p${k}`,
  title: `Orders of page ${k}`,
  status: 'pending' as const,
}));

/** One write outside, one answer of a person, one changed file for each quarter of the records; one call for each. */
function rowsOf(count: number): ItemRows {
  const places = Array.from({ length: count }, (_, k) => ({ step: k + 1, index: 0 }));
  const quarter = places.slice(0, Math.floor(count / 4));
  const call = { tool: 'put_order', target: 'register' };
  return {
    contract,
    uptoStep: count,
    taskState: { steps: plan },
    evidence: [],
    calls: places.map((place) => ({
      ...place,
      tool: 'put_order',
      ...(place.step % 4 === 0 && { failure: { class: 'tool_business' as const, text: refusal(place.step) } }),
    })),
    effects: quarter.map((place) => ({
      ...place,
      ...call,
      phase: 'COMMITTED',
      downstreamId: `r${place.step}`,
      outcome: null,
    })),
    approvals: quarter.map((place) => ({
      ...place,
      ...call,
      state: 'spent',
      answers: [{ by: 'ann', answer: 'approve' }],
    })),
    changes: quarter.map((place) => ({ path: `orders/${place.step}.json`, status: 'added', action: place })),
  };
}
const refusal = (order: number) =>
  JSON.stringify({
    ok: false,
    error: { code: 'NO_STOCK', message: `Order ${order} has no stock`, retryable: false, suggested_action: '' },
  });

const count = createTokenCounter();

function projectionOf(rows: ItemRows, uptoStep: number): Projection {
  return makeProjection({
    uptoStep,
    contractVersion: 1,
    policy: 'p1',
    madeBy: 'summary',
    items: collectItems(rows),
    itemTokens: 15_000,
    summary: 'The register takes an order once; orders without stock are noted and left. '.repeat(60),
    count,
  });
}

function view(): () => unknown {
  const uptoStep = Math.max(0, steps - visibleStepsMax);
  const facts: ViewFacts = {
    contract,
    tools: [],
    inputs: [{ ordinal: 1, afterStep: 0, kind: 'message', text: 'Begin.' }],
    steps: Array.from({ length: steps - 1 - uptoStep }, (_, k) => step(uptoStep + 1 + k)),
    hiddenSteps: uptoStep,
    projection: projectionOf(rowsOf(uptoStep), uptoStep),
    taskState: { steps: plan },
    environment: { changedFiles: [] },
  };
  const sizes = facts.steps.map((one) => ({ step: one.step, tokens: 300 }));
  const rest = { fixedTokens: 2_000, projectionTokens: 15_000, contextTokens: 128_000, outputTokens: 8_000 };
  return () => [planCompaction({ steps: sizes, ...rest, ratio: 1, tight: false }), buildView(facts)];
}

function validation(): () => unknown {
  const rows = rowsOf(records);
  const items = collectItems(rows);
  const projection = projectionOf(rows, records);
  const facts: ProjectionFacts = {
    contractVersion: 1,
    policy: 'p1',
    items,
    steps: rows.calls.map((call) => ({ step: call.step, callIds: [`call_${call.step}`], observed: 1 })),
    installedUptoStep: 0,
    retrieved: new Set(items.map(({ id }) => id)),
    finish: 'complete',
    tokensBefore: 100_000,
    tokensAfter: 40_000,
  };
  return () => {
    const judged = validateProjection(projection, facts);
    if (!judged.ok) throw new Error(`A good projection was refused: ${JSON.stringify(judged.faults)}`);
  };
}

/** Sorted by nothing; ms. */
function measure(work: () => unknown): readonly number[] {
  for (let k = 0; k < warmUps; k += 1) work();
  return Array.from({ length: runs }, () => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
}

/** The same over rows of a ledger. */
async function overLedger(): Promise<readonly Measured[]> {
  const world = await openWorld({});
  try {
    const ledger = new CompactionLedger(world);
    const viewed = await ledger.attempt('viewed', steps, true);
    const kept = await ledger.attempt('kept', records, false);
    const compaction = await ledger.compaction(kept);
    const items = await ledger.judge(compaction);
    return [
      {
        name: `with the ledger: read and build the view at step ${steps}`,
        times: await measureAsync(() => ledger.view(viewed)),
        atMost: viewMsMax,
      },
      {
        name: `with the ledger: make, prove and judge a projection of ${items} records`,
        times: await measureAsync(() => ledger.judge(compaction)),
        atMost: validationMsMax,
      },
    ];
  } finally {
    await world.close();
  }
}

async function measureAsync(work: () => Promise<unknown>): Promise<readonly number[]> {
  for (let k = 0; k < warmUps; k += 1) await work();
  const times: number[] = [];
  for (let k = 0; k < runs; k += 1) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times;
}

interface Measured {
  readonly name: string;
  readonly times: readonly number[];
  readonly atMost?: number;
}

async function main(): Promise<void> {
  const rows = rowsOf(records);
  const measured: readonly Measured[] = [
    { name: `plan and build the view at step ${steps}`, times: measure(view()), atMost: viewMsMax },
    { name: `judge a projection of ${records} records`, times: measure(validation()), atMost: validationMsMax },
    { name: `collect and fit ${records} records`, times: measure(() => projectionOf(rows, records)) },
    ...(await overLedger()),
  ];
  const data = measured.map(({ times, ...rest }) => ({
    ...rest,
    p50: median(times),
    p99: quantile(times, 0.99),
    max: Math.max(...times),
  }));
  printReport(
    {
      bench: 'compaction',
      tables: [
        {
          title: 'Milliseconds',
          head: ['', 'p50', 'p99', 'max'],
          rows: data.map(({ name, p50, p99, max }) => [name, p50, p99, max]),
        },
      ],
      targets: data.flatMap(({ name, p99, atMost }) =>
        atMost === undefined ? [] : [{ name: `${name}, p99`, value: p99, atMost, unit: 'ms' }],
      ),
      data,
    },
    options.json,
  );
}

runBench(main);
