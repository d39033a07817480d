import type {
  JobWork,
  ProbeResult,
  ReadTool,
  SendResult,
  ToolContext,
  ToolDefinition,
  ToolResult,
  WorkspaceTool,
  WriteContext,
  WriteTool,
} from '../activities/ports';
import { canonicalHash } from '../domain/canonical';
import { pollingLimitMax } from '../domain/progress/polling-limit';
import { type ArgumentsOf, compileArguments, type ObjectSchema } from './arguments';
import { refusalOf } from './rejected';
import { toolNamePattern } from './tool-name';
import { unknownFields } from './unknown-fields';

interface Common<Args> {
  /** Unique in a registry; what transcripts and policies call it. */
  readonly name: string;
  /** For the model: what it does, in which units, and what it refuses. */
  readonly description: string;
  /** Longest that it may run, ms. */
  readonly timeoutMs: number;
  /** Its output is content that nobody here vouches for (R5). */
  readonly untrusted?: true;
  /** Constraints that this tool lets the runtime hold it to (R5.2). */
  readonly enforces?: {
    readonly paths?: (args: Args) => readonly string[];
    readonly hosts?: (args: Args) => readonly string[];
    readonly readOnlyRole?: true;
  };
  /** Asked again until the answer changes: so many polls in a row with the same answer are no loop (R7.3); 1 to 300. */
  readonly polling?: { readonly limit: number };
  /** Arguments that change nothing of what is asked, such as a time limit: a repeat with others of them is one (R7.1). */
  readonly incidental?: readonly (keyof Args & string)[];
}

/** Expected to end within about 50 ms: may run as a local activity. */
interface Quick {
  readonly quick: boolean;
}
/** What it looks at outside, as a write's `target` names it: it frees that alone (R8.6). */
interface Look<Args> {
  readonly target?: (args: Args) => string;
}
/** What its answer is the content of, as people name it: only such an answer can be cited (R3.3). */
interface Source<Args> {
  readonly source?: (args: Args) => string;
}
interface Run<Args> {
  readonly run: (args: Args, context: ToolContext) => Promise<ToolResult>;
}

/** A change outside (E1–E6); what each field says is in the tool port. */
interface Write<Args> {
  readonly workspace?: false;
  readonly businessKey?: (args: Args) => string | undefined;
  readonly scope?: 'tenant' | 'task';
  readonly operationArguments?: readonly (keyof Args & string)[];
  readonly target?: (args: Args) => string;
  readonly credentialDomain?: string;
  readonly rejectionIsFinalForKey?: true;
  readonly job?: JobWork;
  readonly compensation?: {
    readonly tool: string;
    readonly args: (args: Args, result: { readonly output: string; readonly downstreamId?: string }) => unknown;
  };
}
/** Who makes a repeat harmless; `unsafe`: nobody, so it never runs as a local activity. */
type Class<Args> =
  | ({ readonly effect: 'idempotent' | 'deduplicated' } & Quick)
  | { readonly effect: 'unsafe'; readonly quick?: false }
  | ({
      readonly effect: 'probed';
      readonly probe: (key: string, args: Args, context: WriteContext) => Promise<ProbeResult>;
    } & Quick);
/** E3: what `prepare` read is what `send` gets; without one, where nothing says what `Prepared` is, it gets the arguments. */
interface Send<Args, Prepared> {
  readonly prepare?: (args: Args, context: WriteContext) => Promise<Prepared>;
  readonly send: (
    key: string,
    prepared: [Prepared] extends [never] ? Args : Prepared,
    context: WriteContext,
  ) => Promise<SendResult>;
}

type ToolSpec<Args, Prepared> = Common<Args> &
  (
    | ({ readonly effect: 'control' } & Quick)
    | ({ readonly effect: 'none'; readonly workspace: boolean } & Pick<ReadTool, 'protected' | 'looks'> &
        Look<Args> &
        Source<Args> &
        Quick &
        Run<Args>)
    | ({ readonly effect: 'idempotent'; readonly workspace: true } & Pick<WorkspaceTool, 'looks'> & Quick & Run<Args>)
    | (Write<Args> & Class<Args> & Send<Args, Prepared>)
  );

/**
 * A tool whose functions get arguments that its schema let through, typed by that schema. A write without its class does
 * not compile, nor does a probed one without a probe (R4.1). `Rejected`, thrown by `run` or `send`, is the other side's no.
 * Throws where the name is none that models take, where the schema itself is wrong, and where there is a field that no such
 * tool has.
 */
export function defineTool<const Schema extends ObjectSchema, Prepared = never>(
  spec: ToolSpec<ArgumentsOf<Schema>, Prepared> & { readonly schema: Schema },
): ToolDefinition {
  const { name, description, schema, effect } = spec;
  checkFields(spec);
  if (!toolNamePattern.test(name))
    throw new Error(`"${name}" is no name of a tool: 1 to 64 of A-Z, a-z, 0-9, "_" and "-"`);
  const made = {
    validate: compileArguments(schema),
    version: canonicalHash({ name, description, schema, effect }).slice(0, 16),
  };
  if ('run' in spec) return { ...spec, ...made, run: refusable(spec.run) };
  if (spec.effect === 'control') return { ...spec, ...made };
  return { quick: false, ...spec, ...made, workspace: false, send: rejectable(spec.send) };
}

type FieldsOf<T> = T extends unknown ? keyof T : never;
/** Of each kind of tool. That none is forgotten here, the compiler sees. */
const commonFields: Record<keyof Common<never> | keyof Quick | 'schema' | 'effect', true> = {
  name: true,
  description: true,
  schema: true,
  effect: true,
  timeoutMs: true,
  untrusted: true,
  enforces: true,
  polling: true,
  incidental: true,
  quick: true,
};
const runFields: Record<keyof Run<never> | 'workspace' | 'looks', true> = { workspace: true, run: true, looks: true };
const writeFields: Record<
  Exclude<FieldsOf<Write<never> & Class<never> & Send<never, never>>, keyof typeof commonFields | 'probe'>,
  true
> = {
  workspace: true,
  businessKey: true,
  scope: true,
  operationArguments: true,
  target: true,
  credentialDomain: true,
  rejectionIsFinalForKey: true,
  job: true,
  compensation: true,
  prepare: true,
  send: true,
};
const enforcerFields: Record<keyof NonNullable<Common<never>['enforces']>, true> = {
  paths: true,
  hosts: true,
  readOnlyRole: true,
};
const compensationFields: Record<keyof NonNullable<Write<never>['compensation']>, true> = { tool: true, args: true };

const jobFields: Record<Exclude<keyof JobWork, 'shownAs'>, true> = { maxMs: true, poll: true, cancel: true };
const pollingFields: Record<keyof NonNullable<Common<never>['polling']>, true> = { limit: true };
const isPollingLimit = (limit: unknown) =>
  Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= pollingLimitMax;

/** What the check looks at: the same for every schema. */
interface SpecFields {
  readonly name: string;
  readonly effect: string;
  readonly workspace?: boolean;
  readonly enforces?: object;
  readonly polling?: { readonly limit: unknown };
  readonly incidental?: readonly string[];
  readonly schema: { readonly properties?: object };
  readonly compensation?: object;
  readonly job?: { readonly maxMs: unknown };
}

/** Throws: what a module's types would have refused arrives here without them. */
function checkFields(spec: SpecFields): void {
  const known = { ...commonFields, ...ownFields(spec) };
  const check = (part: object | undefined, fields: object, place = '') => {
    const wrong = part && unknownFields(part, Object.keys(fields));
    if (wrong !== undefined) throw new Error(`${spec.name}${place}: ${wrong}`);
  };
  check(spec, known);
  check(spec.enforces, enforcerFields, '.enforces');
  check(spec.compensation, compensationFields, '.compensation');
  check(spec.polling, pollingFields, '.polling');
  check(spec.job, jobFields, '.job');
  if (spec.job && !(Number.isSafeInteger(spec.job.maxMs) && Number(spec.job.maxMs) > 0))
    throw new Error(`${spec.name}.job.maxMs: a whole number of milliseconds above 0`);
  if (spec.polling && !isPollingLimit(spec.polling.limit))
    throw new Error(`${spec.name}.polling.limit: a whole number from 1 to ${pollingLimitMax}`);
  for (const argument of spec.incidental ?? [])
    if (!Object.hasOwn(spec.schema.properties ?? {}, argument))
      throw new Error(`${spec.name}.incidental: "${argument}" is no argument of its schema`);
}

function ownFields(spec: SpecFields): object {
  if (spec.effect === 'control') return {};
  const read = { ...runFields, protected: true, source: true };
  if (spec.effect === 'none') return spec.workspace === true ? read : { ...read, target: true };
  if (spec.workspace === true) return runFields;
  return spec.effect === 'probed' ? { ...writeFields, probe: true } : writeFields;
}

type RunOfTool = ReadTool['run'];
function refusable(run: RunOfTool): RunOfTool {
  return async (args, context) => {
    try {
      return await run(args, context);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) return refusal;
      throw error;
    }
  };
}

type SendOfTool = WriteTool['send'];
function rejectable(send: SendOfTool): SendOfTool {
  return async (key, prepared, context) => {
    try {
      return await send(key, prepared, context);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) return { kind: 'rejected', failure: refusal.failure, error: refusal.error };
      throw error;
    }
  };
}
