import { type CliWorld, cliWorld } from '../cli/support/cli-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { testStack } from '../support/stack';
import { findChromium } from './support/find-chromium';
import { inBrowser } from './support/in-browser';
import { TemporalUi } from './support/temporal-ui';

const wire = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const transcript = { attempts: { wire: { 1: { calls: [wire] }, 2: { text: 'It is wired.' } } } };
const rules = `rules:
  - { id: transfers, when: tool == "wire_transfer", decision: require_approval, approvers: ["role:finance"], channel: asserted }
`;

/** A browser that starts, two forms and a page that is loaded twice, on a machine that does other things too. */
const browserTestMs = 300_000;

let world: CliWorld;
const browser = findChromium();
beforeAll(async () => {
  if (browser) world = await cliWorld(transcript, rules);
});
afterAll(() => world?.close());

const title = 'R5.3 R5.5 what the Temporal UI shows of a request, typed into its own form, carries it out';

(browser ? test : test.skip)(
  browser ? title : `${title} (skipped: no chromium on the PATH, and HOLDFAST_CHROMIUM names none)`,
  () =>
    inBrowser(browser ?? '', async (page) => {
      const { attemptId, workflowId, state } = await world.json<{
        attemptId: string;
        workflowId: string;
        state: string;
      }>(3, 'start', world.task('wire', {}), '--wait');
      expect(state).toBe('WAITING_FOR_APPROVAL');
      const { namespace } = world.attempts.ways;
      const ui = new TemporalUi(page, { ui: (await testStack()).temporalUi, namespace, workflowId });

      const codes = await (await ui.currentDetails('WAITING_FOR_APPROVAL')).locator('code').allInnerTexts();
      expect(codes).toContain(`holdfast approve ${attemptId} ${attemptId}/s1.a0`);
      const shown = codes[codes.indexOf('approve') + 1] ?? '';
      expect(JSON.parse(shown)).toEqual({
        actionId: `${attemptId}/s1.a0`,
        by: 'you',
        binding: expect.stringMatching(/^[0-9a-f]{64}$/),
      });

      await ui.sendSignal('approve', shown.replace('"you"', '"cem"'));
      await expectRejected('Policy asks role:finance, and cem is none of these');
      expect(world.shop.lines('wire_transfer')).toEqual([]);

      await ui.sendSignal('approve', shown.replace('"you"', '"ana"'));
      expect(await world.attempts.client.workflow.getHandle(workflowId).result()).toEqual({
        state: 'COMPLETED',
        reason: 'success',
      });
      await (await ui.currentDetails('COMPLETED')).getByText('success').waitFor();

      expect(world.shop.lines('wire_transfer')).toHaveLength(1);
      expect(await world.json(0, 'effects', attemptId)).toMatchObject([
        { phase: 'COMMITTED', authorization: { rule: 'transfers', approvedBy: ['ana'] } },
      ]);
      expect(await brokenInvariants(world.attempts.pool)).toEqual([]);
    }),
  browserTestMs,
);

async function expectRejected(why: string): Promise<void> {
  const query = `select payload ->> 'why' as why from events where type = 'message_rejected'`;
  await until(async () => {
    const { rows } = await world.attempts.pool.query<{ why: string }>(query);
    return rows.some((row) => row.why.includes(why));
  }, `a rejection: ${why}`);
}
