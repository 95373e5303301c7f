// For browser tests: the parts of the Lab that one works with.
import type {Page} from '@playwright/test';

export const formulaEditor = (page: Page) => page.getByRole('textbox', {name: 'Formula'});
export const labToolbar = (page: Page) => page.getByRole('toolbar', {name: 'Lab'});

/** The draft's cell in the row of a pod. */
export const draftCell = (page: Page, row: RegExp) =>
  page.getByRole('row').filter({hasText: row}).first().getByRole('gridcell').last();

/** Types over what is there, as a person does: by hand, not by setting a value. */
export async function retype(page: Page, code: string): Promise<void> {
  await formulaEditor(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(code);
}
