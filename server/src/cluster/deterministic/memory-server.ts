// The embedded server in virtual time, without sockets. One seed gives one order of events.

import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import {Api} from '../api.ts';
import {seedEmpty} from '../shop/seed.ts';
import {startSimulation} from '../simulation/simulation.ts';
import {LocalWire} from '../wire/local-wire.ts';
import {RbacAccess} from '../wire/rbac-access.ts';
import {DelayedWire, type MessageDelays} from './delayed-wire.ts';
import type {VirtualClock} from './virtual-clock.ts';

export interface MemoryServerOptions {
  clock: VirtualClock;
  /** Decides generated names and uids. Default: the seed of the clock. */
  seed?: number | undefined;
  controllers?: boolean | undefined;
  /** How long messages take. Default: 1 to 10 ms. */
  delays?: MessageDelays | undefined;
}

export interface MemoryServer {
  token: string;
  userToken: string;
  transport: Wire;
  client: DynamicClient;
  transportAs(token: string): Wire;
  /** Every request and every stored change, in order. */
  eventLog: string[];
  stop(): Promise<void>;
}

const TOKEN = 'administrator';
const USER_TOKEN = 'user';

export async function startMemoryServer(options: MemoryServerOptions): Promise<MemoryServer> {
  const {clock, delays = {min: 1, max: 10}, controllers = true} = options;
  const api = new Api({seed: options.seed ?? clock.seed, now: () => clock.date(), clock});
  const access = new RbacAccess(api, TOKEN, USER_TOKEN);
  seedEmpty(api);
  const eventLog: string[] = [];
  const write = (line: string) => eventLog.push(`${clock.now().toFixed(3)} ${line}`);
  api.storage.listeners.add((resource, {type, key, object}) =>
    write(`${type} ${resource} ${key} ${JSON.stringify(object)}`),
  );
  const wire = (token: string, userAgent: string) => new LocalWire(api, access, {token, userAgent, clock});
  const simulation = await startSimulation(api, {
    pace: controllers ? 1 : 0,
    story: false,
    controllers,
    wire: wire(TOKEN, 'kube-controller-manager'),
    clock,
  });
  const transportAs = (token: string) => new DelayedWire(wire(token, 'test'), clock, delays, write);
  const transport = transportAs(TOKEN);
  return {
    token: TOKEN,
    userToken: USER_TOKEN,
    transport,
    client: new DynamicClient(transport),
    transportAs,
    eventLog,
    async stop() {
      await transport.close();
      await simulation.stop();
      clock.stop();
    },
  };
}
