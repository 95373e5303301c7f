// From a watch event at the socket to a frame at the client, on the whole product: demo cluster, reflector, engine, stream.
import {PROTOCOL} from '@krtscope/shared/vocabulary.ts';
import {WebSocket} from 'ws';
import {connect} from '../src/kube/client/connect.ts';
import {readKubeconfig} from '../src/kube/credentials/kubeconfig.ts';
import {resources} from '../src/kube/resource.ts';
import {TestInstance} from '../src/start/testing-instance.ts';
import type {Bench, Row} from './support/result-row.ts';

const WRITES = 150;

async function run(): Promise<Row[]> {
  const instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0']);
  try {
    await instance.ready();
    const {url, token} = await instance.address();
    const {cluster} = await instance.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
    const config = readKubeconfig([cluster.kubeconfig]);
    const client = connect({config, context: config.currentContext ?? '', readOnly: false});
    const seenAtSocket = new Map<string, number>();
    const seenAtClient = new Map<string, number>();
    const mark = (name: string, into: Map<string, number>) => {
      if (!into.has(name)) into.set(name, performance.now());
    };

    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, {
      headers: {authorization: `Bearer ${token}`},
    });
    await new Promise(resolve => socket.once('open', resolve));
    socket.send(JSON.stringify({type: 'hello', protocol: PROTOCOL}));
    const question = {ask: 'window', collection: 'ConfigMaps', q: 'bench', offset: 0, count: 100};
    socket.send(JSON.stringify({type: 'subscribe', id: 'w', question}));
    socket.on('message', bytes => {
      for (const [tag] of bytes.toString().matchAll(/tick-\d+/g)) mark(tag, seenAtClient);
    });

    const {ConfigMaps} = resources;
    const metadata = {name: 'bench', namespace: 'default'};
    await client.create(ConfigMaps, {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {n: 'tick-0'}});
    const watching = new AbortController();
    const {body} = await client.watch(ConfigMaps, {namespace: 'default', signal: watching.signal});
    body.on('error', () => {});
    body.on('data', chunk => {
      for (const [tag] of String(chunk).matchAll(/tick-\d+/g)) mark(tag, seenAtSocket);
    });
    await new Promise(resolve => setTimeout(resolve, 500));
    for (let n = 1; n <= WRITES; n++) {
      await client.patch(ConfigMaps, metadata, {data: {n: `tick-${n}`}}, {type: 'merge'});
      await new Promise(resolve => setTimeout(resolve, 60 + ((n * 37) % 50)));
    }
    watching.abort();
    socket.terminate();
    const delays = [...seenAtSocket]
      .flatMap(([tag, at]) => (seenAtClient.has(tag) ? [(seenAtClient.get(tag) as number) - at] : []))
      .sort((a, b) => a - b);
    const at = (share: number) =>
      delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN;
    const wrong =
      delays.length < WRITES * 0.9
        ? `only ${delays.length} of ${WRITES} writes reached the client`
        : undefined;
    return [
      {
        name: 'stream: watch event to frame, median',
        value: at(0.5),
        unit: 'ms',
        others: {p99: at(0.99)},
        goals: [{text: '< 50 ms, one frame', holds: at(0.5) < 50}],
        ...(wrong === undefined ? {} : {wrong}),
      },
    ];
  } finally {
    await instance.stop();
  }
}

export default {name: 'stream', run} satisfies Bench;
