/** A completion contract: what must be true before a Task may be called done (R3). */
export const taskKinds = ['dialog', 'code_change', 'data', 'business_action', 'research'] as const;
export type TaskKind = (typeof taskKinds)[number];

interface CriterionBase {
  readonly id: string;
  /** `false`: a failure of this check gives the model no feedback, and the candidate ends there (R3.4). */
  readonly repair?: boolean;
  /** The final test: nothing of it, or of what it finds, is told to anybody but auditors, and its failure ends the attempt (R3.4). */
  readonly sealed?: true;
}
/** Files that a check brings along, by their name in the configuration and by what is in them (64 hex digits). */
export interface BroughtFiles {
  readonly name: string;
  readonly hash: string;
}
/** A shell line that must exit 0 in a clean copy of the workspace at the candidate's snapshot. */
export interface CommandCriterion extends CriterionBase {
  readonly check: 'command';
  readonly run: string;
  readonly timeoutMs?: number;
  /** Laid over the copy before the line is run; the workspace never has them. */
  readonly files?: BroughtFiles;
}
/** Globs over the paths changed between the base commit and the candidate's snapshot; an empty diff fails. */
export interface DiffCriterion extends CriterionBase {
  readonly check: 'diff';
  readonly only?: readonly string[];
  readonly mustChange?: readonly string[];
  readonly mustNotChange?: readonly string[];
}
/** A read tool's answer, as JSON, holds what is expected; asked again until it does or `withinMs` has passed. */
export interface ExternalCriterion extends CriterionBase {
  readonly check: 'external';
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Each key's value must be equal in the answer; an object is compared key by key, and more keys do no harm. */
  readonly expect: Readonly<Record<string, unknown>>;
  readonly withinMs?: number;
}
/**
 * A query of a configured database gives the same rows when it is run again. In a `data` task the agent's own query is run too, and
 * must give the rows that `finish` reports.
 */
export interface QueryCriterion extends CriterionBase {
  readonly check: 'query';
  readonly database: string;
  /** The contract's own query; without one it is the agent's that is judged, which only a `data` task has. */
  readonly sql?: string;
  /** Values of the only row, or `{ rows: [...] }`; compared as `external` does. */
  readonly expect?: Readonly<Record<string, unknown>>;
}
/** Each quote that `finish` cites stands in its source as the attempt read it. */
export interface CitationsCriterion extends CriterionBase {
  readonly check: 'citations';
  /** Different sources that are cited; 1 where left out. */
  readonly minSources?: number;
  /** Each is answered by a citation or listed as unknown. */
  readonly questions?: readonly string[];
}
/** The attempt's own events have one of this type. */
export interface AuditEventCriterion extends CriterionBase {
  readonly check: 'audit_event';
  readonly type: string;
}
/** A person says that the candidate will do; asked once everything before it is met. */
export interface HumanCriterion extends CriterionBase {
  readonly check: 'human';
  readonly question: string;
  /** Names, or `role:<role>`; anybody whom policy knows where left out. */
  readonly approvers?: readonly string[];
}
/** What a verifier judges by itself. */
export type MachineCriterion = Exclude<Criterion, HumanCriterion>;
export type Criterion =
  | CommandCriterion
  | DiffCriterion
  | ExternalCriterion
  | QueryCriterion
  | CitationsCriterion
  | AuditEventCriterion
  | HumanCriterion;

export interface WorkspaceSpec {
  /** A path or URL that `git clone` accepts. */
  readonly git: string;
  readonly ref: string;
  /** `auto` recognises the package manager by its lock file; otherwise shell lines, run in order. */
  readonly setup: 'auto' | readonly string[];
}

/** The part of a task file that binds the agent. Its canonical JSON is hashed; a change is a new version. */
export interface Contract {
  readonly kind: TaskKind;
  readonly goal: string;
  /** What the user revised the goal by while the work went on, in order; only ever appended to. */
  readonly revisions?: readonly string[];
  readonly constraints: readonly string[];
  readonly forbidden: readonly string[];
  readonly tools: readonly string[];
  readonly acceptance: readonly Criterion[];
  readonly workspace?: WorkspaceSpec;
}
