import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabasePort } from '../../src/activities/ports';
import { defaultLimits } from '../../src/domain/budget/account';
import { parseTranscript } from '../../src/models/scripted/parse-transcript';
import type { AttemptRef } from '../../src/protocol/ids';
import { readTaskFile, type TaskFile } from '../../src/requests/task/task-file';
import { createRegistry } from '../../src/tools/registry';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';

export const exampleFile = (example: string, name: string) => join(__dirname, '../../examples', example, name);

/** The tasks of an example through the real workflow, worker, servers and tools, with the example's own transcript. */
export interface ExampleWorld extends AttemptWorld {
  /** Starts the task of a file of the example; `change` is made to what the file says. */
  run(file: string, change?: (task: TaskFile) => TaskFile): Promise<AttemptRef>;
  /** The evidence of the newest candidate of each criterion. */
  evidence(
    ref: AttemptRef,
  ): Promise<readonly { met: boolean; body: { detail: string; ran: string; output?: string } }[]>;
}

export async function exampleWorld(example: string, databases?: DatabasePort): Promise<ExampleWorld> {
  const transcript = parseTranscript('transcript.yaml', readFileSync(exampleFile(example, 'transcript.yaml'), 'utf8'));
  const tools = createRegistry();
  const world = await attemptWorld({
    transcript: { ...transcript, latencyMs: 0 },
    ...(databases && { databases }),
    workspaces(folder) {
      mkdirSync(join(folder, 'objects'), { recursive: true });
      return createWorkspaces({ dataDir: folder, sandbox: 'auto', env: process.env });
    },
  });
  return {
    ...world,
    run(file, change = (task) => task) {
      const { task, contract, limits, input } = change(
        readTaskFile(exampleFile(example, file), {
          tools: tools.names(),
          reads: tools.names().filter((name) => tools.get(name)?.effect === 'none'),
          models: ['default'],
          databases: databases?.names() ?? [],
        }),
      );
      return world.start({ task, contract, limits: { ...defaultLimits, ...limits }, input });
    },
    async evidence(ref) {
      const { rows } = await world.pool.query(
        `select met, body from evidence where attempt = $1
           and candidate = (select max(candidate) from evidence where attempt = $1) order by criterion`,
        [ref.key],
      );
      return rows;
    },
  };
}
