// Measures in the page: frames, long tasks, heap.
import type {Page} from '@playwright/test';

interface FrameSamples {
  frames: number[];
  tasks: number[];
}

/** Starts recording frame lengths and tasks over 50 ms in the page. */
export async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watched: FrameSamples = {frames: [], tasks: []};
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

export async function readFrames(
  page: Page,
): Promise<{frames: number; slow: number; median: number; longest: number}> {
  const {frames, tasks} = await page.evaluate(() => (window as unknown as {watched: FrameSamples}).watched);
  const slow = frames.filter(one => one > 50).length;
  return {
    frames: frames.length,
    slow: frames.length === 0 ? 0 : slow / frames.length,
    median: frames.toSorted((a, b) => a - b)[Math.floor(frames.length / 2)] ?? 0,
    longest: Math.max(0, ...tasks),
  };
}

/** The heap after a garbage collection, in megabytes. */
export async function measureHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const {usedSize} = (await session.send('Runtime.getHeapUsage')) as {usedSize: number};
  await session.detach();
  return usedSize / 1e6;
}
