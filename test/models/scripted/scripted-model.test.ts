import { type ScriptedModel, startScriptedModel } from '../../../src/models/scripted/scripted-model';

const transcript = `
model: tester
attempts:
  repair: { 2: { text: step two of the task } }
  repair/2: { 2: { text: step two of its second attempt } }
steps:
  1: { text: first, calls: [{ tool: read_file, args: { path: "{step}.js" } }, { tool: list_files }] }
  3: { text: given, usage: { promptTokens: 700, completionTokens: 30, cachedTokens: 500 }, finish: length }
entries:
  - { when: { lastTool: run_tests, lastToolResult: "\\\\d+ failed" }, text: repair again }
  - { when: { lastTool: run_tests }, text: all pass }
  - { when: { lastUser: "(?:^|\\\\s)weather", messages: 1 }, text: sunny }
  - { from: 10, to: 1009, text: "{task} at {step}", calls: [{ tool: note, args: { n: "{#step}", file: "f{step%7}.txt", all: ["{attempt}"] } }] }
  - { attempt: other, from: 2000, text: only for another task }
`;

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({ transcript });
});
afterAll(() => server.stop());

interface Choice {
  readonly message: {
    readonly content: string | null;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  };
  readonly finish_reason: string;
}

async function ask(step: string | undefined, messages: readonly object[] = [{ role: 'user', content: 'Hello.' }]) {
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(step !== undefined && { 'x-step': step }) },
    body: JSON.stringify({ model: 'tester', messages }),
  });
  const body = (await response.json()) as {
    choices: Choice[];
    usage: { prompt_tokens: number; completion_tokens: number; prompt_tokens_details: { cached_tokens: number } };
    error?: { message: string };
  };
  return { status: response.status, body, choice: body.choices?.[0] };
}

const said = async (...args: Parameters<typeof ask>) => (await ask(...args)).choice?.message.content;

test('a step is answered by its attempt, else by its task, else by its number', async () => {
  expect(await said('repair/2/2')).toBe('step two of its second attempt');
  expect(await said('repair/1/2')).toBe('step two of the task');
  expect(await said('repair/1/1')).toBe('first');
  expect(await said('any/7/1')).toBe('first');
});

test('the same request gets the same bytes, and ids of calls that differ by attempt, step and index', async () => {
  const one = await ask('repair/1/1');
  const again = await ask('repair/1/1');
  const other = await ask('repair/2/1');
  const ids = [one, other].flatMap(({ choice }) => choice?.message.tool_calls?.map((call) => call.id) ?? []);

  expect(again.body).toEqual(one.body);
  expect(new Set(ids).size).toBe(4);
  expect(one.choice?.message.tool_calls?.[0]?.function).toEqual({
    name: 'read_file',
    arguments: '{"path":"{step}.js"}',
  });
  expect(one.choice?.finish_reason).toBe('tool_calls');
});

test('an entry with a range is a template', async () => {
  const { choice } = await ask('bench/3/123');

  expect(choice?.message.content).toBe('bench at 123');
  expect(JSON.parse(choice?.message.tool_calls?.[0]?.function.arguments ?? '')).toEqual({
    n: 123,
    file: 'f4.txt',
    all: ['bench/3'],
  });
});

test('without a step the first entry that fits answers', async () => {
  const result = (content: string) => [
    { role: 'user', content: 'Repair it.' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run_tests', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content },
  ];
  expect(await said(undefined, result('3 failed'))).toBe('repair again');
  expect(await said(undefined, result('none'))).toBe('all pass');
  expect(await said(undefined, [{ role: 'user', content: [{ type: 'text', text: 'the weather?' }] }])).toBe('sunny');
});

test('a request that nothing fits is a 422 that prints it', async () => {
  const { status, body } = await ask('repair/1/5', [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'Weather?' },
  ]);

  expect(status).toBe(422);
  expect(body.error?.message).toContain('"attempt":"repair/1","step":5,"messages":2,"lastUser":"Weather?"');
  expect((await ask('repair/1/2000')).status).toBe(422);
  expect((await ask('other/1/2000')).status).toBe(200);
});

test('usage is given, or computed from the lengths', async () => {
  expect((await ask('repair/1/3')).body.usage).toEqual({
    prompt_tokens: 700,
    completion_tokens: 30,
    total_tokens: 730,
    prompt_tokens_details: { cached_tokens: 500 },
  });
  const { usage } = (await ask('repair/1/1')).body;
  expect(usage.prompt_tokens).toBeGreaterThan(0);
  expect(usage.completion_tokens).toBe(
    Math.ceil(('first' + 'read_file' + '{"path":"{step}.js"}' + 'list_files' + '{}').length / 5),
  );
});

test('it names its model, and answers a broken or a strange request with a status', async () => {
  const models = await (await fetch(`${server.url}/models`)).json();
  expect(models).toMatchObject({ object: 'list', data: [{ id: 'tester' }] });
  expect((await fetch(`${server.url}/embeddings`, { method: 'POST', body: '{}' })).status).toBe(404);
  expect((await fetch(`${server.url}/chat/completions`, { method: 'POST', body: 'no JSON' })).status).toBe(400);
});

test('the log of requests is bounded and keeps the newest', async () => {
  for (let step = 10; step < 230; step++) await ask(`bench/9/${step}`);

  expect(server.requests()).toHaveLength(200);
  expect(server.requests().at(-1)).toMatchObject({ attempt: 'bench/9', step: 229, place: 'entries[3]', fault: false });
});
