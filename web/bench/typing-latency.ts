// From a key in the Lab's editor to the pixels of the draft's column, on the page's own clock.
import type {Page} from '@playwright/test';

interface KeySamples {
  key: number;
  times: number[];
}

const KEYS = 12;
const WORD = 'typed';

/** Milliseconds of each key: from its event to the frame after every drawn cell has the new text. */
export async function typeInLab(page: Page): Promise<number[]> {
  const editor = page.getByRole('textbox', {name: 'Formula'});
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(`(ctx, pod) => ({v: '${WORD}'})`);
  for (const _ of "'})") await page.keyboard.press('ArrowLeft');
  await page.getByRole('gridcell').filter({hasText: WORD}).first().waitFor();
  await page.evaluate(() => {
    const typed: KeySamples = {key: 0, times: []};
    Object.assign(window, {typed});
    // In the capture phase: before the editor handles the key.
    addEventListener(
      'keydown',
      event => {
        typed.key = event.timeStamp;
      },
      true,
    );
  });
  for (let i = 1; i <= KEYS; i++) {
    const wanted = `${WORD}${'7'.repeat(i)}`;
    await page.evaluate(
      ([word, text]) => {
        const typed = (window as unknown as {typed: KeySamples}).typed;
        const look = () => {
          const cells = [...document.querySelectorAll('[role=gridcell]')].map(cell => cell.textContent ?? '');
          const drawn = cells.filter(cell => cell.includes(word));
          if (drawn.length === 0 || !drawn.every(cell => cell.includes(text))) requestAnimationFrame(look);
          // This frame's content is on the screen with the next frame.
          else requestAnimationFrame(now => typed.times.push(now - typed.key));
        };
        requestAnimationFrame(look);
      },
      [WORD, wanted] as const,
    );
    await page.keyboard.press('7');
    await page.waitForFunction(
      count => (window as unknown as {typed: KeySamples}).typed.times.length >= count,
      i,
      {timeout: 20_000},
    );
    await page.waitForTimeout(300);
  }
  return await page.evaluate(() => (window as unknown as {typed: KeySamples}).typed.times);
}
