// Starts the cluster's controllers and simulators. Controllers always react to changes. Heartbeats and the
// demo's events follow a pace, and 0 stops them.

import type {Clock} from '../../kube/clock.ts';
import type {Manager, Program, Wire} from '../../runtime/index.ts';
import type {Api} from '../api.ts';
import {logProblem} from '../problem-log.ts';
import {DemoEvents} from '../shop/demo-events.ts';
import {createControllerManager, MANAGER} from './controllers/controller-manager.ts';
import {DefinitionsController} from './controllers/definition-controller.ts';
import {DependentIndex} from './controllers/dependent-index.ts';
import {NamespaceController} from './controllers/namespace-controller.ts';
import {DirectClient} from './direct-client.ts';
import {expireEvents} from './event-expiry.ts';
import {Kubelet, type KubeletOptions} from './kubelet/kubelet.ts';
import {renewLeases, sendHeartbeat} from './kubelet/node-heartbeat.ts';
import {PodAddresses} from './kubelet/pod-addresses.ts';
import {type LoopController, ReconcileLoop} from './reconcile-loop.ts';
import {repeatEvery, Timers} from './timers.ts';

interface ClusterSimulationOptions {
  pace: number;
  /** Whether the demo's events happen. */
  story: boolean;
  /** False: only what a real API server does by itself, which is to serve CRDs. */
  controllers?: boolean;
  kubelet?: KubeletOptions;
  /** The controllers' connection to the API. */
  wire: Wire;
  report?: Program | undefined;
  /** Default: the system's, without keeping the process alive. */
  clock?: Clock;
}

interface ClusterSimulation {
  setPace(pace: number): void;
  stop(): Promise<void>;
}

const STEP_MS = 1500;
const LEASE_MS = 10_000;
const EXPIRY_MS = 60_000;
const KUBELET: KubeletOptions = {bindMs: 100, startMs: 400, workMs: 1500, stopMs: 400};

export async function startSimulation(
  api: Api,
  options: ClusterSimulationOptions,
): Promise<ClusterSimulation> {
  const client = new DirectClient(api, MANAGER);
  const own = new Timers();
  const clock = options.clock ?? own;
  const owned = new DependentIndex(api);
  const stop = new AbortController();
  const addresses = new PodAddresses(api);
  const loops: LoopController[] = [new DefinitionsController(api, client.as('kube-apiserver'))];
  let manager: Manager | undefined;
  if (options.controllers !== false) {
    const {wire, report} = options;
    manager = await createControllerManager({api, dependents: owned, wire, clock, report});
    const kubelet = {
      ...(options.kubelet ?? KUBELET),
      events: manager.eventRecorder('kubelet'),
      scheduling: manager.eventRecorder('default-scheduler'),
    };
    loops.push(new NamespaceController(api, client), new Kubelet(client, addresses, clock, kubelet));
  }
  const loop = new ReconcileLoop(api, loops, clock);
  const story = new DemoEvents(api, client);
  let pulses: (() => void)[] = [];
  let pace = options.pace;
  const stopExpiry = repeatEvery(clock, EXPIRY_MS, () => expireEvents(api, pace));
  const setPace = (next: number) => {
    pace = next;
    for (const stopPulse of pulses) stopPulse();
    pulses = [];
    if (!(pace > 0)) return;
    pulses.push(repeatEvery(clock, LEASE_MS / pace, () => heartbeat(api, client)));
    if (options.story) pulses.push(repeatEvery(clock, STEP_MS / pace, () => story.step()));
  };
  const ended = manager?.start(stop.signal).catch(error => {
    logProblem(`the controllers have ended: ${String(error)}`);
  });
  // Waits for the controllers' watches, so that no change is missed.
  await manager?.elected;
  setPace(options.pace);
  return {
    setPace,
    async stop() {
      setPace(0);
      stopExpiry();
      stop.abort();
      await ended;
      own.stop();
      loop.stop();
      owned.stop();
      addresses.stop();
    },
  };
}

function heartbeat(api: Api, client: DirectClient): void {
  renewLeases(api, client);
  const nodes = client.list('nodes');
  if (nodes.length > 0) sendHeartbeat(api, client, api.random.pick(nodes));
}
