import { classifyThrown } from '../../src/domain/failure/thrown';
import { secretHider } from '../../src/domain/secrets/hide-secrets';
import { defineTool } from '../../src/tools/define-tool';
import { createRegistry } from '../../src/tools/registry';
import { Rejected } from '../../src/tools/rejected';
import { withoutSecrets } from '../../src/tools/without-secrets';
import { call, toolBench } from './support';

const token = 'sk-live-0123456789';
const said = `refused with ${token}`;
const hidden = 'refused with (secret)';

let answer: () => unknown = () => undefined;
const common = {
  description: 'A tool.',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  timeoutMs: 1_000,
} as const;
const tools = withoutSecrets(
  createRegistry([
    defineTool({
      ...common,
      name: 'read',
      effect: 'none',
      workspace: false,
      quick: true,
      run: async () => answer() as never,
    }),
    defineTool({
      ...common,
      name: 'write',
      effect: 'probed',
      quick: false,
      prepare: async () => answer(),
      send: async () => answer() as never,
      probe: async () => answer() as never,
    }),
  ]),
  secretHider([token]),
);
const bench = toolBench({});
afterAll(() => bench.remove());
const write = () => {
  const tool = tools.get('write');
  if (tool?.effect !== 'probed') throw new Error('no write');
  return tool;
};
const throwing = (error: unknown) => () => {
  throw error;
};
const read = async () => {
  const tool = tools.get('read');
  if (!tool) throw new Error('no read');
  return call(tool, {}, bench.context);
};

test('R10.4 what a tool answers, and what it refuses with, holds no secret', async () => {
  answer = () => ({ ok: true, output: said });
  expect(await read()).toEqual({ ok: true, output: hidden });
  answer = throwing(new Rejected('NO', said, said));
  expect(await read()).toMatchObject({ ok: false, error: { message: hidden, suggested_action: hidden } });
  expect(await write().send('k', {} as never, bench.context)).toMatchObject({
    kind: 'rejected',
    error: { message: hidden },
  });
  answer = () => ({ kind: 'committed', output: said, downstreamId: '7' });
  expect(await write().send('k', {} as never, bench.context)).toEqual({
    kind: 'committed',
    output: hidden,
    downstreamId: '7',
  });
  expect(await write().probe('k', {} as never, bench.context)).toEqual({
    kind: 'committed',
    output: hidden,
    downstreamId: '7',
  });
});

test.each([
  ['an error', () => Object.assign(new Error(said), { code: 'ECONNRESET' })],
  ['an object of another realm', () => ({ message: said, code: 'ECONNRESET' })],
])('R10.4 %s that a tool throws keeps its typed facts and loses the secret in its words', async (_, made) => {
  for (const work of [
    read,
    () => write().send('k', {} as never, bench.context),
    async () => write().prepare?.({} as never, bench.context),
    () => write().probe('k', {} as never, bench.context),
  ]) {
    const error = made();
    answer = throwing(error);
    await expect(work()).rejects.toBe(error);
    expect(error.message).toBe(hidden);
    expect(classifyThrown(error)).toEqual({ class: 'tool_transient', code: 'CONNECTION_LOST' });
  }
});

test('R10.4 adversarial: a text that is thrown, and an error that lets nobody change its words', async () => {
  answer = throwing(said);
  await expect(read()).rejects.toBe(hidden);
  answer = throwing(Object.freeze(new Error(said)));
  await expect(read()).rejects.toThrow(hidden);
  const stubborn = {
    get message() {
      return said;
    },
  };
  answer = throwing(stubborn);
  await expect(read()).rejects.toThrow(hidden);
  answer = throwing(undefined);
  await expect(read()).rejects.toBeUndefined();
});

test('what is read of a tool by its name is one and the same, and the runtime’s own are what they were', () => {
  expect(tools.get('read')).toBe(tools.offered(['read'], []).find(({ name }) => name === 'read'));
  expect(tools.get('finish')).toBe(createRegistry().get('finish'));
  expect(tools.get('none')).toBeUndefined();
  expect(tools.names()).toContain('write');
});
