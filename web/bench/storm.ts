// A thousand changes a second: labels written to Pods from many hands at once, as fast as asked and no faster.
import type {DynamicClient} from '../../server/src/kube/client.ts';
import {resources} from '../../server/src/kube/resource.ts';

/** Writes for `seconds` at `rate` a second; returns how many were written. */
export async function storm(cluster: DynamicClient, rate: number, seconds: number): Promise<number> {
  const {items} = await cluster.list(resources.Pods);
  const refs = items.map(pod => ({namespace: pod.metadata.namespace, name: pod.metadata.name}));
  const started = Date.now();
  let asked = 0;
  let written = 0;
  const hand = async () => {
    while (Date.now() - started < seconds * 1000) {
      const due = ((Date.now() - started) / 1000) * rate;
      if (asked >= due) {
        await new Promise(resolve => setTimeout(resolve, 5));
        continue;
      }
      const ref = refs[asked++ % refs.length]!;
      const patch = {metadata: {labels: {tick: String(asked)}}};
      await cluster.patch(resources.Pods, ref as {name: string}, patch, {
        type: 'merge',
        fieldManager: 'storm',
      });
      written++;
    }
  };
  await Promise.all(Array.from({length: 64}, hand));
  return written;
}
