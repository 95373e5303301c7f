// One informer of Pods in a process of its own: started by kube.bench.ts, told what to follow, and telling how
// long the list took, what it keeps, and what the watch's events cost.
import type {V1Pod} from '@kubernetes/client-node';
import {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {systemClock} from '../../src/kube/clock.ts';
import {credentialsOf} from '../../src/kube/credentials/credentials.ts';
import {parseKubeconfig} from '../../src/kube/credentials/kubeconfig.ts';
import {Informer} from '../../src/kube/informer/informer.ts';
import {resources} from '../../src/kube/resource.ts';
import {Transport} from '../../src/kube/transport/transport.ts';

export interface ToContender {
  type: 'start';
  kubeconfig: string;
  pods: number;
  updates: number;
}

export type FromContender =
  | {type: 'loaded'}
  | {type: 'listed'; ms: number; heapMB: number}
  | {type: 'watched'; cpuMs: number};

interface Following {
  size(): number;
}

/** Starts following; calls back for each add and each update. */
type Start = (kubeconfig: string, onAdd: () => void, onUpdate: () => void) => Promise<Following>;

async function krtscope(): Promise<Start> {
  return async (kubeconfig, onAdd, onUpdate) => {
    const config = parseKubeconfig(kubeconfig, 'kubeconfig');
    const client = new DynamicClient(new Transport(credentialsOf(config, config.currentContext ?? '')));
    const informer = new Informer({client, resource: resources.Pods, clock: systemClock});
    informer.addHandler({onChange: change => (change.event === 'add' ? onAdd() : onUpdate())});
    informer.start();
    return {size: () => informer.cache.size};
  };
}

async function clientNode(): Promise<Start> {
  const {KubeConfig, CoreV1Api, makeInformer} = await import('@kubernetes/client-node');
  return async (kubeconfig, onAdd, onUpdate) => {
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    const api = config.makeApiClient(CoreV1Api);
    const informer = makeInformer<V1Pod>(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
    informer.on('add', onAdd);
    informer.on('update', onUpdate);
    informer.on('error', error => {
      throw error;
    });
    void informer.start();
    return {size: () => informer.list().length};
  };
}

function heapMB(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const cpuMs = () => {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
};

function tell(message: FromContender): void {
  process.send?.(message);
}

const start = await (process.argv[2] === 'client-node' ? clientNode() : krtscope());
process.on('message', (message: ToContender) => void follow(message));
process.on('disconnect', () => process.exit());
tell({type: 'loaded'});

async function follow({kubeconfig, pods, updates}: ToContender): Promise<void> {
  const before = heapMB();
  const began = performance.now();
  let added = 0;
  let updated = 0;
  let cpuBefore = 0;
  const listed = () => {
    const ms = performance.now() - began;
    // After what the list still has under way, such as the parsed text, is gone.
    setTimeout(() => {
      const kept = heapMB() - before;
      if (following.size() !== pods) throw new Error(`${following.size()} Pods are cached, not ${pods}`);
      cpuBefore = cpuMs();
      tell({type: 'listed', ms, heapMB: kept});
    }, 500);
  };
  const following = await start(
    kubeconfig,
    () => ++added === pods && listed(),
    () => ++updated === updates && tell({type: 'watched', cpuMs: cpuMs() - cpuBefore}),
  );
}
