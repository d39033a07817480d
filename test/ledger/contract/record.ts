import type { AttemptRef } from '../../../src/protocol/ids';
import type { World } from './contract-world';
import { refund, request } from './effect-rows';
import { action, look, noUsage, observation, projection, step, toolTry } from './rows';

/** Three steps with a call each; the second call failed, the third changed the worktree. */
async function threeSteps(world: World): Promise<AttemptRef> {
  const ref = await world().attempt({ input: 'Please.' });
  const seen = [
    observation({ body: { text: 'Saw 1.' } }),
    observation({ step: 2, ok: false, body: { text: 'No.' }, failure_class: 'tool_business' }),
    observation({ step: 3, snapshot: 'c0ffee' }),
  ];
  for (const n of [1, 2, 3]) {
    await look(world().port(), ref, (tx) => {
      tx.update({ step: n });
      tx.insert('steps', step({ step: n, body: { text: `Step ${n}.` } }));
      tx.insert('actions', action({ step: n, call_id: `call-${n}`, tool: `tool-${n}` }));
      tx.insert('observations', seen[n - 1] ?? observation());
    });
  }
  return ref;
}

export function recordContract(world: World): void {
  test('R3.3 what a tool answered is read with the snapshot that its last try ran on; what failed is no answer', async () => {
    const ref = await threeSteps(world);
    await look(world().port(), ref, (tx) => {
      tx.insert('tool_tries', toolTry({ snapshot: 'aaaa' }));
      tx.insert('tool_tries', toolTry({ try: 2, snapshot: 'bbbb' }));
      tx.emit({ type: 'repair_requested', payload: { candidate: 1, unmet: [] } });
    });
    const port = world().port();
    const args = { text: '{"amount":40}' };
    expect(await port.answered(ref, ['tool-3', 'tool-2', 'tool-1'])).toEqual([
      { step: 1, index: 0, tool: 'tool-1', args, text: 'Saw 1.', snapshot: 'bbbb' },
      { step: 3, index: 0, tool: 'tool-3', args, text: 'Done.', snapshot: null },
    ]);
    expect(await port.answered(ref, ['tool-2', 'other'])).toEqual([]);
    expect(await port.answered(ref, [])).toEqual([]);
  });

  test('R3.3 the first event of a type is found by its place, and no event of another attempt', async () => {
    const ref = await threeSteps(world);
    const asked = { type: 'repair_requested', payload: { candidate: 1, unmet: [] } } as const;
    const other = await world().attempt();
    await look(world().port(), other, (tx) => tx.emit(asked));
    const port = world().port();
    expect(await port.firstEvent(ref, 'repair_requested')).toBeUndefined();
    for (const n of [8, 9]) await look(port, ref, (tx) => tx.emit(asked), { n });
    const first = await port.firstEvent(ref, 'repair_requested');
    expect(first).toBeGreaterThan(1);
    expect(await port.firstEvent(ref, 'attempt_created')).toBeLessThan(first ?? 0);
  });

  test('R13.3 steps and inputs of the record are read whatever a projection hides of them', async () => {
    const ref = await threeSteps(world);
    await look(world().port(), ref, (tx) => tx.insert('projections', projection({ upto_step: 2 })));
    const port = world().port();

    const shown = { callId: 'call-2', tool: 'tool-2', args: { text: '{"amount":40}' }, output: 'No.' };
    expect(await port.history(ref, 2, 2)).toEqual([{ step: 2, body: { text: 'Step 2.' }, calls: [shown] }]);
    expect((await port.history(ref, 1, 99)).map((one) => one.step)).toEqual([1, 2, 3]);
    expect(await port.history(ref, 7, 9)).toEqual([]);
    expect(await port.input(ref, 1)).toEqual({ kind: 'message', text: 'Please.' });
    expect(await port.input(ref, 2)).toBeUndefined();
  });

  test('R13.2 what a compacted view keeps is read of the steps that leave it, and of the whole attempt where that binds', async () => {
    const ref = await threeSteps(world);
    const { tool, target } = request();
    const sent = refund({ step: 3, phase: 'SENT' });
    await look(world().port(), ref, (tx) => {
      for (const candidate of [1, 2])
        tx.insert('evidence', {
          ...{ candidate, criterion: 'tests', met: candidate === 2, snapshot: null },
          body: { detail: `Candidate ${candidate}.` },
        });
      tx.insertEffect(sent);
      tx.insertApproval(request({ step: 3 }));
      tx.insertApprovalAnswer(request({ step: 3 }), {
        ...{ by: 'ana', answer: 'deny', channel: 'asserted', messageId: 'm' },
        reason: 'Too much.',
      });
      tx.closeApproval(request({ step: 3 }), 'denied');
    });

    const items = await world().port().itemRows(ref, 2);
    expect(items).toEqual({
      evidence: [{ criterion: 'tests', met: true, detail: 'Candidate 2.' }],
      calls: [
        { step: 1, index: 0, tool: 'tool-1' },
        { step: 2, index: 0, tool: 'tool-2', failure: { class: 'tool_business', text: 'No.' } },
      ],
      effects: [
        {
          ...{ step: 3, index: 0, tool: sent.tool, target: sent.target, phase: 'SENT' },
          ...{ downstreamId: null, outcome: null },
        },
      ],
      approvals: [
        {
          ...{ step: 3, index: 0, tool, target, state: 'denied' },
          answers: [{ by: 'ana', answer: 'deny', reason: 'Too much.' }],
        },
      ],
      steps: [1, 2, 3].map((n) => ({ step: n, callIds: [`call-${n}`], observed: 1 })),
      writes: [],
      inherited: null,
    });
    expect((await world().port().itemRows(ref, 3)).writes).toEqual([
      { step: 3, index: 0, tool: 'tool-3', args: { text: '{"amount":40}' } },
    ]);
  });

  test('R12.3 what an attempt inherited stays its own when later projections are made', async () => {
    const ref = await threeSteps(world);
    const inherited = projection({ upto_step: 0, made_by: 'inherited', body: { text: 'inherited' } });
    await look(world().port(), ref, (tx) => tx.insert('projections', inherited));
    await look(world().port(), ref, (tx) => tx.insert('projections', projection({ ordinal: 2, upto_step: 3 })));
    expect((await world().port().itemRows(ref, 3)).inherited).toEqual({ text: 'inherited' });
    expect((await world().port().view(ref)).projection).toMatchObject({ ordinal: 2, uptoStep: 3 });
  });

  test('R13.3 the record of what an attempt descends from can be read, and nobody else’s', async () => {
    const task = `record-${Math.floor(Math.random() * 1e9)}`;
    const first = await world().attempt({ task });
    const second = await world().attempt({ task, contract: { goal: 'Another.' } });
    const forkedFrom = { attempt: first.id, n: 1, snapshot: null, ancestors: [first.key] };
    const fork = await world().attempt({ task, forkedFrom });
    const port = world().port();
    expect(await port.ancestor(fork, first.id)).toEqual(first);
    expect(await port.ancestor(fork, second.id)).toBeUndefined();
    expect(await port.ancestor(second, first.id)).toBeUndefined();
    expect(await port.ancestor(first, second.id)).toBeUndefined();
    expect(await port.ancestor(second, second.id)).toBeUndefined();
    expect(await port.ancestor(await world().attempt(), first.id)).toBeUndefined();
    expect(await port.ancestor(await world().attempt({ tenant: 'other', task }), first.id)).toBeUndefined();
  });

  test('R13.2 the view says what the newest proposal was reserved for, and what the provider counted', async () => {
    const ref = await world().attempt();
    const usage = (inputTokens: number) => ({ ...noUsage, inputTokens });
    const made = (of: { step: number; try?: number; purpose?: 'compaction' }, reported: number, estimated?: true) =>
      look(world().port(), ref, async (tx) => {
        tx.insert('model_tries', { try: 1, execution: 1, model: 'm', reserved: usage(100), purpose: 'step', ...of });
      }).then(() =>
        look(world().port(), ref, (tx) =>
          tx.closeModelTry(
            { try: 1, execution: 1, ...of },
            { outcome: 'answered', usage: { ...usage(reported), ...(estimated && { estimated }) } },
          ),
        ),
      );

    expect((await world().port().view(ref)).counted).toBeNull();
    await made({ step: 1 }, 80);
    await made({ step: 2 }, 70);
    await made({ step: 2, try: 2 }, 60);
    await made({ step: 3 }, 999, true);
    await made({ step: 3, try: 2, purpose: 'compaction' }, 999);
    expect((await world().port().view(ref)).counted).toEqual({ model: 'm', reserved: 100, reported: 60 });
  });
}
