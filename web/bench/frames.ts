// What a person feels, measured in the page: frames, long tasks, heap.
import type {Page} from '@playwright/test';

interface Watched {
  frames: number[];
  tasks: number[];
}

/** Starts recording frame lengths and tasks over 50 ms in the page. */
export async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watched: Watched = {frames: [], tasks: []};
    Object.assign(window, {watched});
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) watched.tasks.push(entry.duration);
    }).observe({type: 'longtask', buffered: false});
    let last = performance.now();
    const frame = (now: number) => {
      watched.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

export async function seen(page: Page): Promise<{frames: number; slow: number; longest: number}> {
  const {frames, tasks} = await page.evaluate(() => (window as unknown as {watched: Watched}).watched);
  const slow = frames.filter(one => one > 50).length;
  return {
    frames: frames.length,
    slow: frames.length === 0 ? 0 : slow / frames.length,
    longest: Math.max(0, ...tasks),
  };
}

/** The heap after a collection, in megabytes. */
export async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const {usedSize} = (await session.send('Runtime.getHeapUsage')) as {usedSize: number};
  await session.detach();
  return usedSize / 1e6;
}
