import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { PolicyPort } from '../../../src/activities/ports';
import { loadConfig } from '../../../src/config';
import { createLogger } from '../../../src/logger';
import type { Transcript } from '../../../src/models/scripted/transcript-schema';
import { createPolicy } from '../../../src/policy/create-policy';
import { loadTools } from '../../../src/tools/load-tools';
import { createRegistry } from '../../../src/tools/registry';
import { type ShopProcess, startShop } from '../../examples/refund/support/shop';
import { type AttemptWorld, attemptWorld } from '../../support/attempt-world';
import { tempFolder } from '../../support/temp-folder';
import { captured } from './captured';
import type { Ran } from './command-line';

const example = resolve(__dirname, '../../../examples/refund');
/** Of every outside write; a person's "not committed" is taken only after it. */
const toolTimeoutMs = 60_000;

/** What tests look at in a document about an attempt. */
export interface Shown {
  readonly attemptId: string;
  readonly state: string;
  readonly reason: string | null;
  readonly pending: readonly { readonly kind: string; readonly binding?: string; readonly command: string }[];
}

/** Commands as a person types them, on real servers, a worker, and the shop of the example behind its MCP server. */
export interface CliWorld {
  readonly attempts: AttemptWorld;
  readonly shop: ShopProcess;
  /** Runs one command to its end, in this process; one at a time. */
  run(...args: string[]): Promise<Ran>;
  /** The document that a command prints with `--json`; throws where it ends with another code than `code`. */
  json<T = Shown>(code: number, ...args: string[]): Promise<T>;
  /** Writes a task file and returns its path. */
  task(name: string, change: object): string;
  /** From now on the worker goes by these rules, as one that was started anew with another policy file does. */
  changePolicy(rules: string): void;
  close(): Promise<void>;
}

/** `rules`: the policy, in YAML. The only model is called `scripted`. Where it rejects, nothing of it is left running. */
export async function cliWorld(transcript: Transcript, rules: string): Promise<CliWorld> {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closing.reverse()) await end();
  };
  try {
    return { ...(await startWorld(transcript, rules, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startWorld(
  transcript: Transcript,
  rules: string,
  closing: (() => Promise<void>)[],
): Promise<Omit<CliWorld, 'close'>> {
  const folder = tempFolder('holdfast-cli-');
  const shop = await startShop();
  closing.push(() => shop.kill());
  writeFileSync(join(folder, 'policy.yaml'), rules);
  const configure = (models: object) =>
    writeFileSync(join(folder, 'holdfast.yaml'), stringify({ ...config(shop), ...models }));
  configure({});
  const places = loadConfig({ cwd: folder, env: {} });
  const { tools, close } = await loadTools(places, createLogger('silent', 'test'));
  closing.push(close);
  const builtIn = createRegistry().names();
  const read = () => createPolicy({ ...loadConfig({ cwd: folder, env: {} }).policy, singleUser: false, tools });
  const inForce = changeable(read());
  const attempts = await attemptWorld({
    transcript,
    tools: tools.names().flatMap((name) => (builtIn.includes(name) ? [] : (tools.get(name) ?? []))),
    policy: inForce.port,
    logger: createLogger('silent', 'test'),
  });
  closing.push(() => attempts.close());
  const price = { inputPerMTok: 1, outputPerMTok: 4 };
  const headers = { 'X-Step': '{attempt}/{step}' };
  const scripted = { provider: 'openai-compatible', model: 'scripted', baseUrl: attempts.model.url, quick: true };
  configure({ models: { scripted: { ...scripted, price, headers } } });
  await attempts.startWorker();
  const { databaseUrl, temporalAddress, namespace } = attempts.ways;
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    HOLDFAST_CONFIG: join(folder, 'holdfast.yaml'),
    HOLDFAST_DATA_DIR: join(folder, 'data'),
  });
  return {
    attempts,
    shop,
    run: captured,
    json: document,
    task: (name, change) => taskFile(folder, name, change),
    changePolicy(changed) {
      writeFileSync(join(folder, 'policy.yaml'), changed);
      inForce.change(read());
    },
  };
}

/** One port for whatever policy is in force. */
function changeable(first: PolicyPort): { readonly port: PolicyPort; change(policy: PolicyPort): void } {
  let policy = first;
  return {
    port: {
      get version() {
        return policy.version;
      },
      get hasPrincipals() {
        return policy.hasPrincipals;
      },
      decide: (facts) => policy.decide(facts),
      principal: (name) => policy.principal(name),
    },
    change(changed) {
      policy = changed;
    },
  };
}

async function document<T>(code: number, ...args: string[]): Promise<T> {
  const ran = await captured(...args, '--json');
  if (ran.code !== code) throw new Error(`${args.join(' ')} ended with ${ran.code}: ${ran.stdout}${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

function taskFile(folder: string, name: string, change: object): string {
  const file = join(folder, `${name}.yaml`);
  const tools = ['create_refund', 'wire_transfer', 'send_email', 'set_note'];
  const base = { task: name, kind: 'dialog', goal: 'Look after the shop.', model: 'scripted', input: 'Please.', tools };
  writeFileSync(file, stringify({ ...base, ...change }));
  return file;
}

function config({ url }: ShopProcess): object {
  const write = { timeoutMs: toolTimeoutMs };
  const tools = {
    lookup_order: { effect: 'none' },
    create_refund: {
      ...write,
      effect: 'deduplicated',
      businessKey: '{orderId}',
      target: 'order:{orderId}',
      keyArgument: 'idempotencyKey',
      compensation: { tool: 'reverse_refund', args: { refundId: '{result.id}' } },
    },
    reverse_refund: { ...write, effect: 'deduplicated', businessKey: '{refundId}', keyArgument: 'idempotencyKey' },
    wire_transfer: {
      ...write,
      effect: 'probed',
      target: 'iban:{iban}',
      keyArgument: 'reference',
      probe: { tool: 'find_transfer', args: { reference: '{key}' } },
    },
    find_transfer: { effect: 'none' },
    set_note: { ...write, effect: 'idempotent', target: 'order:{orderId}' },
    send_email: { ...write, effect: 'unsafe', target: 'mail:{to}' },
  };
  return {
    mcp: {
      shop: { command: process.execPath, args: [join(example, 'shop-server.mjs')], env: { SHOP_URL: url }, tools },
    },
    policies: ['policy.yaml'],
    principals: { ana: { roles: ['finance'] }, ben: { roles: ['finance'] }, cem: { roles: ['support'] } },
  };
}
