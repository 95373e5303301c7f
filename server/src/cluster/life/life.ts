// Everything that moves by itself in the cluster. The controllers always answer a change; what happens without
// one (heartbeats, the shop's story) happens at a pace that can be set, 0 being none.
import type {Api} from '../api.ts';
import {Story} from '../shop/story.ts';
import {Addresses} from './addresses.ts';
import {Client} from './client.ts';
import {Loop} from './controller.ts';
import {DefinitionsController} from './definitions-controller.ts';
import {DeploymentController} from './deployment.ts';
import {EndpointSliceController} from './endpoint-slice.ts';
import {GarbageCollector} from './garbage.ts';
import {beat, renewLeases} from './heartbeat.ts';
import {JobController} from './job.ts';
import {Kubelet, type KubeletOptions} from './kubelet.ts';
import {NamespaceController} from './namespaces.ts';
import {Owned} from './owned.ts';
import {ReplicaSetController} from './replica-set.ts';
import {DaemonSetController, StatefulSetController} from './sets.ts';
import {pulse, Timers} from './timers.ts';

export interface LifeOptions {
  pace: number;
  /** Whether the shop's story is told. */
  story: boolean;
  /** False: only what a real API server does itself, which is to serve CRDs. */
  controllers?: boolean;
  kubelet?: KubeletOptions;
}

export interface Life {
  setPace(pace: number): void;
  stop(): void;
}

const STEP_MS = 1500;
const LEASE_MS = 10_000;
const KUBELET: KubeletOptions = {bindMs: 100, startMs: 400, workMs: 1500, stopMs: 400};

export function startLife(api: Api, options: LifeOptions): Life {
  const client = new Client(api, 'kube-controller-manager');
  const timers = new Timers();
  const owned = new Owned(api);
  const addresses = new Addresses(api);
  const controllers = () => [
    new NamespaceController(api, client),
    new DeploymentController(client, owned),
    new ReplicaSetController(client, owned),
    new StatefulSetController(client, owned),
    new DaemonSetController(client, owned),
    new JobController(client, owned),
    new Kubelet(client, addresses, timers, options.kubelet ?? KUBELET),
    new EndpointSliceController(client, owned),
    new GarbageCollector(api, client, owned),
  ];
  const loop = new Loop(
    api,
    [
      new DefinitionsController(api, client.as('kube-apiserver')),
      ...(options.controllers === false ? [] : controllers()),
    ],
    timers,
  );
  const story = new Story(api, client);
  let pulses: NodeJS.Timeout[] = [];
  const setPace = (pace: number) => {
    for (const pulse of pulses) clearInterval(pulse);
    pulses = [];
    if (!(pace > 0)) return;
    pulses.push(pulse(LEASE_MS / pace, () => heartbeat(api, client)));
    if (options.story) pulses.push(pulse(STEP_MS / pace, () => story.step()));
  };
  setPace(options.pace);
  return {
    setPace,
    stop() {
      setPace(0);
      timers.stop();
      loop.stop();
      owned.stop();
      addresses.stop();
    },
  };
}

function heartbeat(api: Api, client: Client): void {
  renewLeases(api, client);
  const nodes = client.list('nodes');
  if (nodes.length > 0) beat(api, client, api.chance.pick(nodes));
}
