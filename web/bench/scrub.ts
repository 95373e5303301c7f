// Dragging the playhead over the Sheet: how many moments a second are drawn, and what each of them brings.
import type {Page} from '@playwright/test';

interface Drawn {
  moments: number[];
}

const SECONDS = 6;

export async function scrubOver(page: Page): Promise<{perSecond: number; kilobytes: number}> {
  let bytes = 0;
  page.on('websocket', socket =>
    socket.on('framereceived', ({payload}) => {
      bytes += payload.length;
    }),
  );
  // The socket is only seen by who was there when it opened.
  await page.reload();
  await page.locator('.line[data-key]').first().waitFor();
  await page.evaluate(() => {
    const drawn: Drawn = {moments: []};
    Object.assign(window, {drawn});
    const sheet = document.querySelector('.sheet')!;
    new MutationObserver(() => drawn.moments.push(Number(sheet.getAttribute('data-moment')))).observe(sheet, {
      attributeFilter: ['data-moment'],
    });
  });
  const box = (await page.getByRole('slider', {name: 'Moment'}).boundingBox())!;
  const to = (share: number) => page.mouse.move(box.x + box.width * share, box.y + 40);
  await to(0.9);
  await page.mouse.down();
  await page.locator('.sheet:not([data-moment=live])').waitFor();
  const count = () => page.evaluate(() => (window as unknown as {drawn: Drawn}).drawn.moments.length);
  const [before, received, start] = [await count(), bytes, performance.now()];
  for (let n = 0; performance.now() - start < SECONDS * 1000; n++) await to(0.5 + 0.4 * Math.cos(n / 60));
  const seconds = (performance.now() - start) / 1000;
  const moments = (await count()) - before;
  await page.mouse.up();
  return {perSecond: moments / seconds, kilobytes: (bytes - received) / 1024 / Math.max(1, moments)};
}
