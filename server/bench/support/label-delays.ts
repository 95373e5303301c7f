// A label on one Pod, from the write to the frame that shows it, on the whole product, with others written beside it or not.
import {PROTOCOL} from '@krtscope/shared/vocabulary.ts';
import {WebSocket} from 'ws';
import {connect} from '../../src/kube/client/connect.ts';
import {readKubeconfig} from '../../src/kube/credentials/kubeconfig.ts';
import {resources} from '../../src/kube/resource.ts';
import type {TestInstance} from '../../src/start/testing-instance.ts';

const LANES = 8;

export interface LabelOptions {
  writes: number;
  /** Labels on other Pods meanwhile, a second. */
  beside?: number;
}

/** Milliseconds from a label's being written to its being in a frame, sorted, and how many others there were a second. */
export async function labelDelays(
  instance: TestInstance,
  {writes, beside = 0}: LabelOptions,
): Promise<{delays: number[]; rate: number}> {
  const {url, token} = await instance.address();
  const {cluster} = await instance.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
  const config = readKubeconfig([cluster.kubeconfig]);
  const client = connect({config, context: config.currentContext ?? '', readOnly: false});
  const {items} = await instance.json<{items: {key: string}[]}>('/api/v1/collections/Pods/items?limit=1000');
  const [namespace = '', name = ''] = items[0]?.key.split('/') ?? [];
  const written = new Map<number, number>();
  const delays: number[] = [];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, {
    headers: {authorization: `Bearer ${token}`},
  });
  await new Promise(resolve => socket.once('open', resolve));
  socket.on('message', bytes => {
    for (const [, shown] of bytes.toString().matchAll(/tick-(\d+)/g)) {
      // A frame that shows a later one has overtaken those before it.
      for (const [n, at] of written) {
        if (n > Number(shown)) continue;
        delays.push(performance.now() - at);
        written.delete(n);
      }
    }
  });
  socket.send(JSON.stringify({type: 'hello', protocol: PROTOCOL}));
  const question = {ask: 'item', collection: 'Workloads', key: `${namespace}/${name}`};
  socket.send(JSON.stringify({type: 'subscribe', id: 'i', question}));
  await new Promise(resolve => setTimeout(resolve, 1000));
  const others = items.slice(1).map(({key}) => key.split('/') as [string, string]);
  const began = performance.now();
  let other = 0;
  let over = false;
  const lane = async () => {
    while (!over) {
      const due = began + (other / beside) * 1000;
      const [space = '', pod = ''] = others[(other++ * 7) % others.length] ?? [];
      await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())));
      const labels = {churn: `n${other}`};
      await client.patch(
        resources.Pods,
        {namespace: space, name: pod},
        {metadata: {labels}},
        {type: 'merge'},
      );
    }
  };
  // As many as one machine's controllers have open: more would only wait in a queue.
  const lanes = Promise.all(Array.from({length: beside > 0 ? LANES : 0}, lane));
  for (let n = 0; n < writes; n++) {
    written.set(n, performance.now());
    const labels = {bench: `tick-${n}`};
    await client.patch(resources.Pods, {namespace, name}, {metadata: {labels}}, {type: 'merge'});
    await new Promise(resolve => setTimeout(resolve, 100 + ((n * 37) % 50)));
  }
  const rate = (other / (performance.now() - began)) * 1000;
  over = true;
  await lanes;
  await new Promise(resolve => setTimeout(resolve, 1000));
  socket.terminate();
  await client.transport.close();
  return {delays: delays.sort((a, b) => a - b), rate};
}
