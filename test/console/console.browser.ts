import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { freePort } from '../../src/embedded/process/free-port';
import { findChromium } from '../e2e/support/find-chromium';
import { inBrowser } from '../e2e/support/in-browser';
import { type GatewayWorld, gatewayWorld } from '../gateway/support/gateway-world';

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const mail = { tool: 'send_email', args: { to: 'zoe@example.com', subject: 'Paid', text: 'It is paid.' } };
const asks = { tool: 'ask_user', args: { question: 'Which one?', choices: ['The first', 'The second'] } };
const rules = `rules:
  - { id: payments, when: tool == "wire_transfer", decision: require_approval, approvers: [ana] }
  - { id: mails, when: tool == "send_email", decision: allow }
`;
/** The whole console, gzipped: a page that is there at once. */
const sentMaxBytes = 60 * 1024;
/** A browser that starts and pages that are loaded again and again, on a machine that does other things too. */
const browserTestMs = 300_000;

const browser = findChromium();
let world: GatewayWorld;
beforeAll(async () => {
  if (!browser) return;
  const pays = { 1: { calls: [transfer] }, 2: { text: 'That is all.' } };
  world = await gatewayWorld(
    {
      attempts: {
        pays,
        refused: pays,
        stays: pays,
        asked: { 1: { calls: [asks] }, 2: { text: 'The second, then.' } },
        mails: { 1: { calls: [mail] }, 2: { text: 'Told.' } },
      },
    },
    rules,
    await freePort(),
  );
});
afterAll(() => world?.close());

const task = (name: string) =>
  JSON.stringify({
    task: name,
    kind: 'dialog',
    goal: `Look after ${name}.`,
    model: 'scripted',
    tools: ['wire_transfer', 'send_email'],
  });

async function start(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await page.getByLabel('Task file').fill(task(name));
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: `${name}/1` }).waitFor();
}

/** Everything that can be used has a name that is read out. */
async function allNamed(page: Page): Promise<void> {
  const tree = await page.locator('body').ariaSnapshot();
  expect(
    tree
      .split('\n')
      .filter((line) => /^\s*- (button|link|textbox|combobox|checkbox|searchbox|meter|spinbutton)(:|$| \[)/.test(line)),
  ).toEqual([]);
}

(browser ? test : test.skip)(
  'a person starts, watches, approves, denies, answers, reconciles and cancels, over a reload, a restart and a lost line',
  () =>
    inBrowser(browser ?? '', async (page) => {
      const built = resolve(__dirname, '../../dist/console');
      const files = readdirSync(built, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
      const sent = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length);
      expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(sentMaxBytes);

      const failures: string[] = [];
      page.on('pageerror', (error) => failures.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && /Content Security Policy/.test(message.text())) failures.push(message.text());
      });
      await page.goto(`${world.gateway.url}/`);
      await allNamed(page);
      await page.goto(`${world.gateway.url}/#token=${await world.token({ principal: 'ana' })}`);
      await page.reload();
      await page.getByText('Nothing has run yet').waitFor();
      expect(page.url()).not.toContain('token');

      await start(page, 'pays');
      const card = page.getByRole('article', { name: 'Approval of pays/1' });
      await card.waitFor();
      await allNamed(page);
      expect(await card.textContent()).toContain('DE89370400440532013000');
      await page.reload();
      await card.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('completed', { exact: true }).waitFor();
      await page.getByText('approved by ana').waitFor();
      expect(world.cli.shop.lines('wire_transfer')).toHaveLength(1);
      await page.getByRole('link', { name: 'effects' }).click();
      await page.getByRole('cell', { name: 'committed' }).waitFor();
      await page.getByRole('link', { name: 'facts' }).click();
      await page.getByText('attempt/default/pays/1').waitFor();
      await allNamed(page);

      await start(page, 'refused');
      await page.getByRole('article', { name: 'Approval of refused/1' }).waitFor();
      await page.getByRole('link', { name: /Inbox/ }).click();
      await page.getByRole('article', { name: 'Approval of refused/1' }).getByRole('button', { name: 'Deny' }).click();
      await page.getByText('Nobody is waited for.').waitFor();
      expect(world.cli.shop.lines('wire_transfer')).toHaveLength(1);

      await start(page, 'asked');
      await page.getByRole('button', { name: 'The second' }).click();
      await page.getByText('completed', { exact: true }).waitFor();

      await world.cli.shop.ask('POST', '/faults', { fault: 'commit_then_drop', operation: 'send_email' });
      await start(page, 'mails');
      await page.getByLabel('What you looked at').fill('The shop has the mail.');
      await page.getByRole('button', { name: 'It happened' }).click();
      await page.getByText('completed', { exact: true }).waitFor();
      expect(world.cli.shop.lines('send_email')).toHaveLength(1);

      await start(page, 'stays');
      await page.getByText('Live.', { exact: true }).waitFor();
      await world.restart();
      await page.getByText('The line is broken').waitFor({ state: 'hidden' });
      await page.getByText('Live.', { exact: true }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('The gateway does not answer').waitFor();
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('button', { name: 'Cancel it for good' }).click();
      await page.getByText('cancelled', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'events' }).click();
      const { events } = (await world.get('/v1/attempts/stays/1/events?limit=500')).body;
      const sequences = events.map(({ sequence }: { sequence: number }) => String(sequence));
      await page.getByRole('row', { name: 'ended' }).waitFor();
      expect(await page.locator('table.events tbody td:first-child').allInnerTexts()).toEqual(sequences.reverse());

      await page.getByRole('link', { name: 'Attempts' }).click();
      await page.getByRole('searchbox').fill('mail');
      await page.getByRole('row', { name: /pays/ }).waitFor({ state: 'hidden' });
      await page.getByRole('row', { name: /mails/ }).waitFor();
      await allNamed(page);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Cost' }).click();
      await page.getByText('30 days by UTC').waitFor();
      await page.setViewportSize({ width: 390, height: 800 });
      for (const name of ['Attempts', 'Cost', 'Start']) {
        await page.getByRole('link', { name, exact: true }).click();
        const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        expect([name, wide]).toEqual([name, 0]);
      }
      expect(failures).toEqual([]);
    }),
  browserTestMs,
);
