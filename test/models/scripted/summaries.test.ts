import { summarySystem } from '../../../src/domain/context/summary-request';
import { type ScriptedModel, startScriptedModel } from '../../../src/models/scripted/scripted-model';

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({
    transcript: {
      steps: { 7: { text: 'a proposal' } },
      summaries: [
        { attempt: 'told', from: 5, text: 'Until {step} it went well.', fault: { status: 503 } },
        { attempt: 'empty', text: '', finish: 'length' },
      ],
    },
  });
});
afterAll(() => server.stop());

async function ask(attempt: string, change: { system?: string; tools?: readonly object[] } = {}) {
  const { system = `${summarySystem}\nBe short.`, tools } = change;
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-step': `${attempt}/1/7` },
    body: JSON.stringify({
      model: 'tester',
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: summarySystem },
      ],
      ...(tools && { tools }),
    }),
  });
  const body = (await response.json()) as {
    choices?: { message: { content: string | null }; finish_reason: string }[];
  };
  return {
    status: response.status,
    text: body.choices?.[0]?.message.content,
    finish: body.choices?.[0]?.finish_reason,
  };
}

test('R13.2 a request for a summary has an answer of its own, and uses up no fault of its step', async () => {
  expect((await ask('told')).status).toBe(503);
  expect(await ask('told')).toEqual({ status: 200, text: 'Until 7 it went well.', finish: 'stop' });
  expect(await ask('empty')).toEqual({ status: 200, text: null, finish: 'length' });
});

test('R13.2 where the transcript says nothing of summaries, one is made up that is the same each time', async () => {
  const first = await ask('plain');
  expect(first.text).toContain('Up to step 7');
  expect(await ask('plain')).toEqual(first);
});

test('a request is one for a summary by how its system message begins, and by having no tools', async () => {
  expect((await ask('told', { system: 'You are an agent.' })).text).toBe('a proposal');
  expect((await ask('told', { tools: [{ type: 'function', function: { name: 'look' } }] })).text).toBe('a proposal');
});
