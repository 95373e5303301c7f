// Drags the playhead over the Sheet and counts the moments drawn per second, of how many, and their size.
import type {Page} from '@playwright/test';
import type {DynamicClient} from '../../server/src/kube/client/dynamic-client.ts';
import {resources} from '../../server/src/kube/resource.ts';

interface ScrubSamples {
  /** Moments in the URL, and moments that the Sheet drew. */
  passed: number;
  drawn: number;
}

const SECONDS = 6;
/** Milliseconds between two writes. */
const WRITE_INTERVAL_MS = 50;
/** Pointer moves from one end to the other. */
const SWEEP_MOVES = 80;

/** Changes one Pod's label again and again, each time as its own batch. */
export async function writeFor(cluster: DynamicClient, milliseconds: number): Promise<void> {
  const {items} = await cluster.list(resources.Pods, {namespace: 'shop'});
  const {name, namespace} = items[0]!.metadata as {name: string; namespace: string};
  const end = performance.now() + milliseconds;
  for (let n = 0; performance.now() < end; n++) {
    const patch = {metadata: {labels: {'krtscope.dev/scrub': String(n)}}};
    await cluster.patch(resources.Pods, {name, namespace}, patch, {
      type: 'merge',
      fieldManager: 'kubectl-label',
    });
    await new Promise(resolve => setTimeout(resolve, WRITE_INTERVAL_MS));
  }
}

export async function scrubOver(page: Page): Promise<{perSecond: number; passed: number; kilobytes: number}> {
  let bytes = 0;
  page.on('websocket', socket =>
    socket.on('framereceived', ({payload}) => {
      bytes += payload.length;
    }),
  );
  // Listen before the socket opens: later it cannot be observed.
  await page.reload();
  await page.locator('.line[data-key]').first().waitFor();
  await page.evaluate(() => {
    const scrubbed: ScrubSamples = {passed: 0, drawn: 0};
    Object.assign(window, {scrubbed});
    const count = (selector: string, attribute: string, name: keyof ScrubSamples) =>
      new MutationObserver(() => {
        scrubbed[name]++;
      }).observe(document.querySelector(selector)!, {attributeFilter: [attribute]});
    count('.sheet', 'data-moment', 'drawn');
    count('[role=slider][aria-label=Moment]', 'aria-valuenow', 'passed');
  });
  const box = (await page.getByRole('slider', {name: 'Moment'}).boundingBox())!;
  const to = (share: number) => page.mouse.move(box.x + box.width * share, box.y + 64);
  await to(0.9);
  await page.mouse.down();
  await page.locator('.sheet:not([data-moment=live])').waitFor();
  const count = () => page.evaluate(() => ({...(window as unknown as {scrubbed: ScrubSamples}).scrubbed}));
  const [before, received, start] = [await count(), bytes, performance.now()];
  for (let n = 0; performance.now() - start < SECONDS * 1000; n++)
    await to(0.5 + 0.4 * Math.cos((n * Math.PI) / SWEEP_MOVES));
  const seconds = (performance.now() - start) / 1000;
  const after = await count();
  await page.mouse.up();
  const drawn = after.drawn - before.drawn;
  return {
    perSecond: drawn / seconds,
    passed: (after.passed - before.passed) / seconds,
    kilobytes: (bytes - received) / 1024 / Math.max(1, drawn),
  };
}
