// How long changes of a prepared cluster took to the socket of a page.
import type {PreparedCluster} from './prepared-cluster.ts';
import type {SheetReader} from './sheet-reader.ts';

/**
 * Milliseconds from the write of each event to its frame, sorted. A frame with a later change of the same Pod, `again`
 * events after it, stands for those that it replaced.
 */
export function changeDelays(cluster: PreparedCluster, {arrived}: SheetReader, again: number): number[] {
  const delays: number[] = [];
  for (const [n, at] of cluster.written) {
    for (let later = n; cluster.written.has(later); later += again) {
      const seen = arrived.get(later);
      if (seen === undefined) continue;
      delays.push(seen - at);
      break;
    }
  }
  return delays.sort((a, b) => a - b);
}
