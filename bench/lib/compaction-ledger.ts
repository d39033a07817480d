import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Compaction } from '../../src/activities/context/compaction';
import type { ActivityDeps } from '../../src/activities/deps';
import { Executions } from '../../src/activities/executions';
import { buildRequest } from '../../src/activities/view-request';
import { createFileStore } from '../../src/artifacts/file-store';
import { validateProjection } from '../../src/domain/context/validate-projection';
import { createLedger } from '../../src/ledger/ledger';
import { startAttempt } from '../../src/ledger/start-attempt';
import { createModels } from '../../src/models/model-port';
import { createPolicy } from '../../src/policy/create-policy';
import type { AttemptRef } from '../../src/protocol/ids';
import { createRegistry } from '../../src/tools/registry';
import { fillRecord } from './filled-record';
import { modelConfig } from './model-config';
import { noWorkspaces } from './no-workspaces';
import { putTool } from './put-tool';
import type { BenchWorld } from './world';

const plenty = 1_000_000_000;
const limits = {
  maxTurns: plenty,
  maxToolCalls: plenty,
  maxSameToolErrors: plenty,
  maxRuntimeMs: plenty,
  maxTokens: plenty,
  maxCostMicroUsd: plenty,
  maxRepairs: 3,
};

/** What an attempt's compactions and views cost where their rows come from a real ledger. */
export class CompactionLedger {
  private readonly deps: ActivityDeps;

  constructor(private readonly world: BenchWorld) {
    const tools = createRegistry([putTool(true)]);
    this.deps = {
      ledger: createLedger(world.ledger),
      executions: new Executions(() => randomUUID()),
      models: createModels({ scripted: modelConfig(world.modelUrl, true) }),
      tools,
      policy: createPolicy({ files: [], principals: [], tools, singleUser: true }),
      workspaces: noWorkspaces,
      artifacts: createFileStore(join(world.dataDir, 'objects')),
      versions: { code: 'bench', environment: 'bench' },
    };
  }

  /** An attempt whose record has so many steps; its view hides all but the newest where `compacted`. */
  async attempt(task: string, steps: number, compacted: boolean): Promise<AttemptRef> {
    const { attempt } = await startAttempt(this.world.ledger, {
      tenant: 'default',
      task,
      contract: {
        kind: 'dialog',
        goal: 'Put every order of the list in the register, once.',
        constraints: ['Change no order.'],
        forbidden: [],
        tools: ['put'],
        acceptance: [],
      },
      limits,
      input: 'Please begin.',
      versions: {},
      snapshot: {
        kind: 'dialog',
        hasWorkspace: false,
        criteria: [],
        models: [{ name: 'scripted', quick: true, timeoutMs: 1_000 }],
        flow: 1,
        stepsPerRun: 100,
        searchAttributes: false,
      },
    });
    await fillRecord(this.world.admin, attempt.ref, steps);
    if (compacted) await this.install(attempt.ref);
    return attempt.ref;
  }

  /** Reads the rows and makes the request of the next step. */
  async view(ref: AttemptRef): Promise<void> {
    const rows = await this.deps.ledger.view(ref);
    const built = await buildRequest(this.deps, rows, { step: rows.attempt.step + 1 }, 'scripted');
    if (built.kind !== 'built') throw new Error(`The view was answered with ${built.kind}`);
  }

  /** A compaction of all but the newest steps, to be judged; `make` retrieves what it leaves out. */
  async compaction(ref: AttemptRef): Promise<Compaction> {
    const rows = await this.deps.ledger.view(ref);
    const profile = this.deps.models.profile('scripted');
    const compaction = profile && (await Compaction.of(this.deps, rows, profile, { step: rows.attempt.step + 1 }));
    if (!compaction) throw new Error('Nothing would become smaller');
    return compaction;
  }

  /** Makes the projection, proves what it leaves out by recalling it, and judges it. Returns its protected items. */
  async judge(compaction: Compaction): Promise<number> {
    const { projection, facts } = await compaction.make();
    const judged = validateProjection(projection, { ...facts, contractVersion: 1, policy: this.deps.policy.version });
    if (!judged.ok) throw new Error(`A good projection was refused: ${JSON.stringify(judged.faults)}`);
    return facts.items.length;
  }

  private async install(ref: AttemptRef): Promise<void> {
    const { projection, facts } = await (await this.compaction(ref)).make();
    await this.world.admin.query(
      `insert into projections (attempt, ordinal, n, step, upto_step, contract_version, policy, made_by, tokens_before, tokens_after, body)
       values ($1, 1, 1, $2, $3, 1, $4, 'mechanical', $5, $6, $7)`,
      [
        ref.key,
        projection.uptoStep + 1,
        projection.uptoStep,
        projection.policy,
        facts.tokensBefore,
        facts.tokensAfter,
        JSON.stringify({ text: JSON.stringify(projection) }),
      ],
    );
  }
}
