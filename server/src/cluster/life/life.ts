// Everything that moves by itself in the cluster. The controllers always answer a change; what happens without
// one (heartbeats, the shop's story) happens at a pace that can be set, 0 being none.

import type {Manager, Program, Wire} from '../../runtime/index.ts';
import type {Api} from '../api.ts';
import {complain} from '../complain.ts';
import {Story} from '../shop/story.ts';
import {Addresses} from './addresses.ts';
import {Client} from './client.ts';
import {type Controller, Loop} from './controller.ts';
import {MANAGER, makeControllers} from './controllers.ts';
import {DefinitionsController} from './definitions-controller.ts';
import {expireEvents} from './event-expiry.ts';
import {beat, renewLeases} from './heartbeat.ts';
import {Kubelet, type KubeletOptions} from './kubelet.ts';
import {NamespaceController} from './namespaces.ts';
import {Owned} from './owned.ts';
import {pulse, Timers} from './timers.ts';

export interface LifeOptions {
  pace: number;
  /** Whether the shop's story is told. */
  story: boolean;
  /** False: only what a real API server does itself, which is to serve CRDs. */
  controllers?: boolean;
  kubelet?: KubeletOptions;
  /** How the controllers reach the API. */
  wire: Wire;
  report?: Program | undefined;
}

export interface Life {
  setPace(pace: number): void;
  stop(): Promise<void>;
}

const STEP_MS = 1500;
const LEASE_MS = 10_000;
const EXPIRY_MS = 60_000;
const KUBELET: KubeletOptions = {bindMs: 100, startMs: 400, workMs: 1500, stopMs: 400};

export async function startLife(api: Api, options: LifeOptions): Promise<Life> {
  const client = new Client(api, MANAGER);
  const timers = new Timers();
  const owned = new Owned(api);
  const stop = new AbortController();
  const addresses = new Addresses(api);
  const loops: Controller[] = [new DefinitionsController(api, client.as('kube-apiserver'))];
  let manager: Manager | undefined;
  if (options.controllers !== false) {
    const {wire, report} = options;
    manager = await makeControllers({api, owned, wire, clock: timers, report});
    const kubelet = {
      ...(options.kubelet ?? KUBELET),
      events: manager.eventRecorder('kubelet'),
      scheduling: manager.eventRecorder('default-scheduler'),
    };
    loops.push(new NamespaceController(api, client), new Kubelet(client, addresses, timers, kubelet));
  }
  const loop = new Loop(api, loops, timers);
  const story = new Story(api, client);
  let pulses: NodeJS.Timeout[] = [];
  let pace = options.pace;
  const expiry = pulse(EXPIRY_MS, () => expireEvents(api, pace));
  const setPace = (next: number) => {
    pace = next;
    for (const pulse of pulses) clearInterval(pulse);
    pulses = [];
    if (!(pace > 0)) return;
    pulses.push(pulse(LEASE_MS / pace, () => heartbeat(api, client)));
    if (options.story) pulses.push(pulse(STEP_MS / pace, () => story.step()));
  };
  const ended = manager?.start(stop.signal).catch(error => {
    complain(`the controllers have ended: ${String(error)}`);
  });
  // Nothing may change before somebody watches it: a change between the two would be answered by nobody.
  await manager?.elected;
  setPace(options.pace);
  return {
    setPace,
    async stop() {
      setPace(0);
      clearInterval(expiry);
      stop.abort();
      await ended;
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
