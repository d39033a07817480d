import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

/** For each thing that is waited for, ms: a busy machine takes long for what is there at once elsewhere. */
const patienceMs = 60_000;
/** Wide enough for the layout of a desk. */
const viewport = { width: 1400, height: 1000 };

/** Runs `work` in a browser of its own. Where it throws, the message says where a picture of the page is kept. */
export async function inBrowser(executablePath: string, work: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath });
  try {
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(patienceMs);
    try {
      await work(page);
    } catch (error) {
      const path = join(mkdtempSync(join(tmpdir(), 'holdfast-browser-')), 'page.png');
      const kept = await page.screenshot({ path, fullPage: true }).then(
        () => `The page as it was: ${path}`,
        (why: unknown) => `No picture of the page could be taken: ${why}`,
      );
      throw new Error(`${error instanceof Error ? error.message : error}\n${kept}`, { cause: error });
    }
  } finally {
    await browser.close();
  }
}
