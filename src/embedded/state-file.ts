import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const identity = z.object({ pid: z.number(), startedAt: z.string() });
const port = z.number().int().min(1).max(65_535);
const stackState = z.object({
  v: z.literal(1),
  /** Who runs the stack, or ran it last. */
  owner: identity,
  /** False before everything serves and after an orderly stop. */
  ready: z.boolean(),
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  namespace: z.string(),
  uiUrl: z.string().optional(),
  /** Present where they are our own. */
  temporal: z.object({ process: identity, ports: z.object({ grpc: port, ui: port, metrics: port }) }).optional(),
  postgres: z.object({ process: identity, port }).optional(),
});

/** What `<dataDir>/state.json` says: addresses (with the database's password) and processes. */
export type StackState = z.infer<typeof stackState>;

const path = (dataDir: string) => join(dataDir, 'state.json');

/** Undefined where there is none that this version understands. */
export async function readStackState(dataDir: string): Promise<StackState | undefined> {
  try {
    return stackState.safeParse(JSON.parse(await readFile(path(dataDir), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Replaces the file whole; only the holder of the stack's lock writes it. */
export async function writeStackState(dataDir: string, state: StackState): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path(dataDir)}.new`;
  await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path(dataDir));
}
