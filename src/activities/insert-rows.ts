import type { Versions } from '../domain/checkpoint/versions';
import type { FailureClass } from '../domain/failure/failure';
import type { JobState } from '../domain/job/job';
import type { Stop } from '../protocol/calls';
import type { Usage } from './ports';
import type { Body, EvidenceBody } from './record-rows';

/** Rows that a transaction adds, by table, and how tries are closed. */

export interface Inserts {
  inbox: { id: string; kind: string; body: unknown };
  inputs: {
    ordinal: number;
    turn: number;
    after_step: number;
    kind: 'message' | 'feedback';
    body: { text: string; by?: string; messageId?: string };
  };
  turns: { turn: number; first_step: number };
  /** Tries of a step are numbered over both purposes. */
  model_tries: {
    step: number;
    try: number;
    execution: number;
    model: string;
    reserved: Usage;
    purpose: 'step' | 'compaction';
  };
  steps: { step: number; turn: number; stop: Stop; body: Body; tokens: number };
  actions: {
    step: number;
    index: number;
    call_id: string;
    tool: string;
    effect: string;
    args: Body;
    args_hash: string;
  };
  tool_tries: {
    step: number;
    index: number;
    try: number;
    execution: number;
    fingerprint: string | null;
    /** R7.1: the fingerprint without words; absent where it leaves out none. */
    likeness?: string;
    /** R7.3: the fingerprint without the step of the plan; absent where it was made in none. */
    stepless?: string;
    /** A poll within its tool's limit. */
    poll?: true;
    /** Of the workspace that it acted on; null without one (R9.3). */
    snapshot: string | null;
    sent: boolean;
    /** The worker that runs it, and the decision that lets it (R5.1). */
    worker: string;
    rule: string;
    policy: string;
    /** Key of the effect of another action that answered the call (E1); absent where none did. */
    reused?: string;
    /** A try that is over as it begins: it never ran. */
    closed?: CloseToolTry;
  };
  observations: {
    step: number;
    index: number;
    ok: boolean;
    body: { text: string };
    tokens: number;
    snapshot: string | null;
    /** 64 hex digits over the answer without what changes by itself (R7); null where nothing ran. */
    result_hash: string | null;
    failure_class: FailureClass | null;
    /** Failing tests that the output tells of; null where it tells of none (R7.2). */
    failing_tests: number | null;
    /** It says that nothing was found (R7.1). */
    found_nothing: boolean;
  };
  /** `step`, `index`: the call that installed it. */
  task_states: { n: number; body: unknown; step?: number; index?: number };
  evidence: { candidate: number; criterion: string; met: boolean; snapshot: string | null; body: EvidenceBody };
  /** What a sealed test found, apart from the evidence that views, feedback and people's documents are made of (R3.4). */
  sealed_evidence: { candidate: number; criterion: string; body: EvidenceBody };
  /** Versions that the attempt goes on beside from this move on (R12.2). */
  attempt_versions: { n: number; body: Versions };
  checkpoints: { n: number; body: unknown };
  /** Times: ms since the epoch, by the workflow's clock. */
  jobs: {
    step: number;
    index: number;
    handle: string;
    effect: string;
    mine: boolean;
    state: JobState;
    next_poll_at: number;
    ends_by: number;
    output: string | null;
  };
  /** `hash`: SHA-256, 64 hex digits. */
  job_tokens: { step: number; index: number; hash: string };
  projections: {
    ordinal: number;
    n: number;
    step: number;
    upto_step: number;
    contract_version: number;
    policy: string;
    made_by: 'summary' | 'mechanical' | 'inherited';
    tokens_before: number;
    tokens_after: number;
    body: Body;
  };
}
export interface CloseModelTry {
  outcome: 'answered' | 'failed' | 'lost' | 'interrupted';
  failure?: string;
  usage: Usage;
  price?: Readonly<Record<string, number>>;
}
export interface CloseToolTry {
  /** `not_run`: refused or answered before anything of it ran; `failure` says why. */
  outcome: 'ok' | 'error' | 'transient' | 'lost' | 'interrupted' | 'unknown' | 'not_run';
  failure?: string;
}
