// The Lab's parts for browser tests.
import type {Page} from '@playwright/test';

export const formulaEditor = (page: Page) => page.getByRole('textbox', {name: 'Formula'});
export const labToolbar = (page: Page) => page.getByRole('toolbar', {name: 'Lab'});

/** The draft's cell in a Pod's row. */
export const draftCell = (page: Page, row: RegExp) =>
  page.getByRole('row').filter({hasText: row}).first().getByRole('gridcell').last();

/** Replaces the text by typing, as a user does. */
export async function retype(page: Page, code: string): Promise<void> {
  await formulaEditor(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(code);
}
