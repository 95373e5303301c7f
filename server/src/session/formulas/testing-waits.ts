// For tests: asks a running krtscope again and again while work goes on, and tells the longest wait for an answer.
import type {TestInstance} from '../../start/testing-instance.ts';

const PATHS = ['/readyz', '/api/v1/collections/Services/items', '/api/v1/graph'];

/** Asks as pages and probes do. `refused` collects the answers that are not 200. */
export async function longestWait(
  instance: TestInstance,
  refused: Set<string>,
  work: () => Promise<void>,
): Promise<number> {
  let [isOver, longest] = [false, 0];
  const probe = async (path: string) => {
    while (!isOver) {
      const start = performance.now();
      const answer = await instance.get(path);
      const text = await answer.text();
      longest = Math.max(longest, performance.now() - start);
      if (answer.status !== 200) refused.add(`${path} ${answer.status}: ${text.slice(0, 300)}`);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  const probes = PATHS.map(probe);
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(probes);
  }
  return Math.round(longest);
}
