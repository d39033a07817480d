import type { World } from './contract-world';
import { action, hashOf, look, observation, projection, step } from './rows';

export function historyContract(world: World): void {
  test('R13.4 actions of the newest step without an observation are those that nothing was seen of', async () => {
    const ref = await world().attempt();
    await look(world().port(), ref, (tx) => {
      tx.update({ step: 2 });
      tx.insert('actions', action({ step: 1, index: 0, tool: 'old' }));
      for (const index of [0, 1, 2]) tx.insert('actions', action({ step: 2, index, tool: `tool-${index}` }));
      tx.insert('observations', observation({ step: 2, index: 1 }));
    });
    expect(await look(world().port(), ref, (tx) => tx.unobserved())).toEqual([
      { index: 0, tool: 'tool-0' },
      { index: 2, tool: 'tool-2' },
    ]);
  });

  test('a proposed action is read as the model wrote it, by whoever asks', async () => {
    const ref = await world().attempt();
    const proposer = world().port();
    const args = { hash: hashOf('c'), bytes: 20_000 };
    await look(proposer, ref, (tx) => {
      tx.insert('actions', action());
      tx.insert('actions', action({ index: 1, args, call_id: 'call-2' }));
    });
    const expected = {
      step: 1,
      index: 0,
      callId: 'call-1',
      tool: 'create_refund',
      args: { text: '{"amount":40}' },
      argsHash: hashOf('a'),
    };

    for (const port of [proposer, world().port()]) {
      expect(await port.action(ref, 1, 0)).toEqual(expected);
      expect(await port.action(ref, 1, 1)).toMatchObject({ callId: 'call-2', args });
      expect(await port.action(ref, 2, 0)).toBeUndefined();
    }
  });

  test('R13.1 the newest task state is the one that counts', async () => {
    const ref = await world().attempt();
    const port = world().port();
    expect((await look(port, ref, (tx) => tx.taskState())) ?? undefined).toBeUndefined();
    for (const n of [3, 7]) {
      await look(
        world().port(),
        ref,
        (tx) => {
          tx.insert('task_states', { n, body: { steps: [n] } });
          tx.emit({ type: 'action_finished', payload: { index: 0, tool: 'update_plan', ok: true, bytes: 1 } });
        },
        { n },
      );
    }
    expect(await look(port, ref, (tx) => tx.taskState())).toEqual({ steps: [7] });
    expect((await port.view(ref)).taskState).toEqual({ steps: [7] });
  });

  test('evidence is of one candidate; the newest candidate is the highest', async () => {
    const ref = await world().attempt();
    const body = { detail: 'No.' };
    expect(await look(world().port(), ref, (tx) => tx.newestEvidence())).toEqual([]);
    await look(world().port(), ref, (tx) => {
      for (const candidate of [1, 2])
        tx.insert('evidence', { candidate, criterion: 'tests', met: candidate === 2, snapshot: null, body });
    });

    expect(await look(world().port(), ref, (tx) => tx.evidence(1))).toEqual([{ criterion: 'tests', met: false, body }]);
    expect(await look(world().port(), ref, (tx) => tx.newestEvidence())).toEqual([
      { criterion: 'tests', met: true, body },
    ]);
    expect(await world().port().evidence(ref, 2)).toEqual([{ criterion: 'tests', met: true, body }]);
  });

  test('R13.1 the view has the steps behind the newest projection with their calls, every message, and their feedback', async () => {
    const ref = await world().attempt({ input: 'Please.' });
    const port = world().port();
    for (const n of [1, 2, 3]) {
      await look(port, ref, (tx) => {
        tx.update({ step: n });
        tx.insert('steps', step({ step: n, body: { text: `Step ${n}.` } }));
        tx.insert('actions', action({ step: n, call_id: `call-${n}` }));
        if (n < 3) tx.insert('observations', observation({ step: n, body: { text: `Saw ${n}.` } }));
      });
    }
    await look(port, ref, (tx) => {
      const input = { turn: 1, body: { text: 'Feedback.' }, kind: 'feedback' as const };
      tx.insert('inputs', { ...input, ordinal: 2, after_step: 0 });
      tx.insert('inputs', { ...input, ordinal: 3, after_step: 1 });
      tx.insert('inputs', { ...input, ordinal: 4, after_step: 2 });
    });

    expect((await port.view(ref)).steps).toHaveLength(3);
    await look(world().port(), ref, (tx) => tx.insert('projections', projection({ upto_step: 1 })));

    for (const reader of [port, port, world().port()]) {
      const view = await reader.view(ref);
      expect(view.projection).toEqual({ ordinal: 1, uptoStep: 1, body: { text: '{}' } });
      expect(view.attempt.step).toBe(3);
      expect(view.steps).toEqual(
        [2, 3].map((n) => ({
          step: n,
          body: { text: `Step ${n}.` },
          calls: [
            {
              callId: `call-${n}`,
              tool: 'create_refund',
              args: { text: '{"amount":40}' },
              output: n < 3 ? `Saw ${n}.` : null,
            },
          ],
        })),
      );
      expect(view.inputs.map(({ ordinal, kind, text }) => [ordinal, kind, text])).toEqual([
        [1, 'message', 'Please.'],
        [2, 'feedback', 'Feedback.'],
        [4, 'feedback', 'Feedback.'],
      ]);
    }
  });
}
