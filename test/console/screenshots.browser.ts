import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../e2e/support/find-chromium';
import { inBrowser } from '../e2e/support/in-browser';
import { type GatewayWorld, gatewayWorld } from '../gateway/support/gateway-world';
import { tempFolder } from '../support/temp-folder';

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const asks = { tool: 'ask_user', args: { question: 'Which of the two orders?', choices: ['1042', '1043'] } };
const rules = `rules:
  - { id: payments, when: tool == "wire_transfer", decision: require_approval, approvers: [ana] }
`;
/** `npm run screenshots` says where they are to be kept. */
const folder = process.env['HOLDFAST_SCREENSHOTS'] ?? tempFolder('holdfast-images-');
const browserTestMs = 300_000;
const browser = findChromium();
let world: GatewayWorld;
beforeAll(async () => {
  if (!browser) return;
  const pays = {
    1: { text: 'The order is refundable; I transfer the money.', calls: [transfer] },
    2: { text: 'It is paid.' },
  };
  world = await gatewayWorld(
    {
      attempts: {
        'refund-1042': pays,
        'refund-1043': pays,
        'which-order': { 1: { calls: [asks] } },
        greeting: { 1: { text: 'Hello.' } },
      },
    },
    rules,
  );
  for (const name of ['refund-1042', 'refund-1043', 'which-order'])
    await world.cli.json(3, 'start', world.cli.task(name, { goal: `Look after ${name}.` }), '--wait');
  await world.cli.json(0, 'start', world.cli.task('greeting', {}), '--wait');
  const [asked] = (await world.get('/v1/attempts/refund-1042/1')).body.pending;
  const token = await world.token({ principal: 'ana' });
  await world.post(
    '/v1/attempts/refund-1042/1/approve',
    { actionId: asked.actionId, binding: asked.binding },
    { token },
  );
});
afterAll(() => world?.close());

const screens = {
  attempts: ['#/attempts', 'row', /greeting/],
  attempt: ['#/attempts/refund-1042/1', 'heading', /Step 1/],
  effects: ['#/attempts/refund-1042/1/effects', 'cell', /^committed$/],
  inbox: ['#/inbox', 'article', /Approval/],
  cost: ['#/cost', 'row', /20\d\d-/],
  start: ['#/start', 'textbox', /Task file/],
} as const;

(browser ? test : test.skip)(
  'each screen is shown in light and dark, and nothing of it is missing',
  () =>
    inBrowser(browser ?? '', async (page) => {
      mkdirSync(folder, { recursive: true });
      await page.setViewportSize({ width: 1200, height: 800 });
      await page.goto(`${world.gateway.url}/#token=${await world.token({ principal: 'ana' })}`);
      await page.reload();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const [name, [hash, role, text]] of Object.entries(screens)) {
          await page.goto(`${world.gateway.url}/${hash}`);
          await page.getByRole(role, { name: text }).first().waitFor();
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
        }
      }
    }),
  browserTestMs,
);
