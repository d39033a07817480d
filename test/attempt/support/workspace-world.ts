import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Limits } from '../../../src/domain/budget/account';
import type { Contract, Criterion } from '../../../src/domain/contract/contract';
import type { Transcript } from '../../../src/models/scripted/transcript-schema';
import type { StartSnapshot } from '../../../src/protocol/attempt';
import type { AttemptRef } from '../../../src/protocol/ids';
import { createWorkspaces } from '../../../src/workspace/create-workspaces';
import { type AttemptWorld, attemptWorld } from '../../support/attempt-world';
import { type Sandpit, sandpit } from '../../workspace/support/sandpit';

/** Whole attempts on a real repository, with the built-in tools. */
export interface WorkspaceWorld extends AttemptWorld {
  readonly pit: Sandpit;
  /** Of the worker in this process, once it was started. */
  readonly dataDir: () => string;
  /** Starts a code_change of the task's own name. */
  change(task: string, options?: ChangeOptions): Promise<AttemptRef>;
  /** Texts of the user and tool messages that the newest request showed the model. */
  shown(): string;
}
export interface ChangeOptions {
  readonly acceptance?: readonly Criterion[];
  readonly limits?: Partial<Limits>;
  readonly contract?: Partial<Contract>;
  /** So many side by side. */
  readonly attempts?: number;
  readonly snapshot?: Partial<StartSnapshot>;
}

export interface WorkspaceWorldOptions {
  readonly quick?: boolean;
  /** Files of the repository, beside the usual ones. */
  readonly more?: Readonly<Record<string, string>>;
  /** Folders of files that checks bring along, by name. */
  readonly brought?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
}

export const workspaceTools = [
  'read_file',
  'list_files',
  'search_text',
  'apply_patch',
  'write_file',
  'run_command',
] as const;

export const call = (tool: string, args: Record<string, unknown> = {}) => ({ calls: [{ tool, args }] });
export const write = (path: string, content: string) => call('write_file', { path, content });
export const run = (command: string) => call('run_command', { command });
export const done = call('finish', { summary: 'It is done.', status: 'done' });
export const blocked = call('finish', { summary: 'I cannot go on.', status: 'blocked' });

/** The repository's own test: met where value.txt says `right`. */
export const test = { id: 'test', check: 'command', run: 'sh test.sh' } as const;
const files = {
  'value.txt': 'wrong\n',
  'test.sh': 'grep -q right value.txt || { echo "value.txt is not right"; exit 1; }\n',
};

export async function workspaceWorld(
  attempts: NonNullable<Transcript['attempts']>,
  { quick = true, more = {}, brought = {}, logger }: WorkspaceWorldOptions = {},
): Promise<WorkspaceWorld> {
  const pit = sandpit({ ...files, ...more });
  let dataDir = '';
  const world = await attemptWorld({
    transcript: { attempts },
    model: { quick },
    ...(logger && { logger }),
    workspaces(folder) {
      dataDir = folder;
      mkdirSync(join(folder, 'objects'), { recursive: true });
      return createWorkspaces({ dataDir: folder, sandbox: 'auto', env: process.env, files: brought });
    },
  });
  return {
    ...world,
    pit,
    dataDir: () => dataDir,
    change: (task, { acceptance = [test], limits = {}, contract = {}, attempts = 1, snapshot = {} } = {}) =>
      world.start({
        task,
        attempts,
        limits,
        snapshot,
        contract: {
          kind: 'code_change',
          goal: 'Make the test pass.',
          tools: [...workspaceTools],
          acceptance: [{ id: 'changed', check: 'diff' }, ...acceptance],
          workspace: { git: pit.repo, ref: 'main', setup: [] },
          ...contract,
        },
      }),
    shown: () => JSON.stringify(world.model.requests().at(-1)?.body()),
    async close() {
      await world.close();
      pit.remove();
    },
  };
}
