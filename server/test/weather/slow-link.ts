// A thousand Pods of a real server over 10 KB/s: they arrive, and the progress is visible meanwhile.

import {performance} from 'node:perf_hooks';
import {setTimeout as rest} from 'node:timers/promises';
import {resources} from '../../src/kube/resource.ts';
import {BandwidthLimit} from '../bandwidth-limit.ts';
import {FaultProxy} from '../fault-proxy.ts';
import type {TestServer} from '../servers.ts';
import type {NoticeTime} from './notice-times.ts';
import {LimitedUser} from './rights.ts';

const PODS = 1000;
const RATE = 10_000;

/** Pods of a Deployment, so that they compress as real ones do. */
async function manyPods({client}: TestServer): Promise<void> {
  for (let at = 0; at < PODS; at += 50)
    await Promise.all(Array.from({length: 50}, (_, n) => client.create(resources.Pods, podOf(at + n))));
}

function podOf(number: number) {
  const name = `many-${number}`;
  const env = Array.from({length: 12}, (_, n) => ({name: `SETTING_${n}`, value: `value ${n} of ${name}`}));
  const metadata = {namespace: 'default', name, labels: {app: `app-${number % 40}`, tier: 'many'}};
  return {metadata, spec: {nodeName: `n${number % 20}`, containers: [{name: 'main', image: 'many:1', env}]}};
}

export async function measureSlowLink(server: TestServer): Promise<NoticeTime[]> {
  await manyPods(server);
  const proxy = new FaultProxy(server);
  const line = new BandwidthLimit(RATE);
  proxy.line = line;
  await proxy.start();
  const began = performance.now();
  const visitor = await LimitedUser.open({...server, url: proxy.url, ca: ''}, {token: 'any'});
  const told: string[] = [];
  let estimates = 0;
  try {
    for (;;) {
      const {size, synced, progress} = await visitor.node('Pods');
      const text = progress && `${progress.done} of ${progress.total}`;
      if (progress?.seconds !== undefined) estimates++;
      if (text !== undefined && told.at(-1) !== text) told.push(text);
      if (synced && size >= PODS) break;
      if (performance.now() - began > 600_000)
        throw new Error(`not there after ten minutes: ${told.join('; ')}`);
      await rest(250);
    }
    if (told.length < 4 || estimates === 0) throw new Error(`too little was told: ${told.join('; ')}`);
    const ms = performance.now() - began;
    const what = `${PODS} Pods over ${RATE / 1000} KB/s, ${Math.round(line.sent / 1000)} KB sent, told ${told.length} steps (${told.slice(0, 3).join(', ')}, …), ${estimates} with an estimate`;
    return [{what, ms, limit: 300}];
  } finally {
    await visitor.close();
    await proxy.close();
  }
}
