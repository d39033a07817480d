import type { FrameLocator, Page } from 'playwright-core';

/** What a person sees and does in the Temporal UI, by what they read there. */
export class TemporalUi {
  constructor(
    private readonly page: Page,
    private readonly workflow: { readonly ui: string; readonly namespace: string; readonly workflowId: string },
  ) {}

  /** The workflow's current details once they show `state`: Markdown, rendered in a frame of its own. */
  async currentDetails(state: string): Promise<FrameLocator> {
    const { page } = this;
    await this.open();
    await page
      .getByRole('link', { name: 'User Metadata' })
      .or(page.getByRole('tab', { name: 'User Metadata' }))
      .first()
      .click();
    const details = page.frameLocator(`iframe[src*="${state}"]`);
    await details.getByText(state).first().waitFor();
    return details;
  }

  /**
   * More Actions → Send a Signal, where the form offers the names that the workflow knows. Returns with the form sent; it may
   * stay open where the workflow ends by the signal.
   */
  async sendSignal(name: string, input: string): Promise<void> {
    const { page } = this;
    await this.open();
    await page.getByRole('button', { name: 'More Actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Send a Signal' }).first().click();
    const form = page.locator('dialog[open]');
    await form.getByTestId('signal-select-button').click();
    await form
      .getByRole('option')
      .filter({ has: page.getByText(name, { exact: true }) })
      .click();
    const editor = form.getByRole('textbox').last();
    await editor.click();
    await page.keyboard.insertText(input);
    // Left before the button is aimed at: the editor then lays the JSON out anew, which moves the button.
    await editor.blur();
    await form.getByRole('button', { name: 'Submit' }).click();
  }

  private async open(): Promise<void> {
    const { ui, namespace, workflowId } = this.workflow;
    await this.page.goto(`${ui}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`);
  }
}
