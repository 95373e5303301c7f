// One seeded round: an informer behind the proxy, changes on the server and faults. At the end cache, handler
// and server must agree.

import {DynamicClient as Client, type DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import type {Credentials} from '../../src/kube/credentials/credentials.ts';
import {isApiError} from '../../src/kube/error.ts';
import {Informer} from '../../src/kube/informer/informer.ts';
import {resources} from '../../src/kube/resource.ts';
import {Transport} from '../../src/kube/transport/transport.ts';
import type {FaultProxy} from '../fault-proxy.ts';
import {eventually, ManualClock, seededRandom} from '../manual-clock.ts';
import {type FaultName, faultNames, faults} from './fault.ts';
import {fingerprint, Replica} from './replica.ts';
import {RoundWriteLog} from './write-log.ts';

export interface FaultEnvironment {
  proxy: FaultProxy;
  /** A client of the server that is behind the proxy now. */
  server(): DynamicClient;
  credentials(): Credentials;
  namespace: string;
  /** Expires all earlier watches. */
  compact(): Promise<void>;
  /** Puts another server with other objects behind the proxy. */
  replaceServer(): void;
  renewToken(): void;
}

export interface RoundResult {
  seed: number;
  faults: FaultName[];
  wrong: string[];
  ms: number;
  /**
   * CPU time of client, proxy and server, which all run in this process. A busy machine does not change it.
   */
  cpuMs: number;
}

export class Round {
  readonly environment: FaultEnvironment;
  readonly clock: ManualClock;
  readonly random: () => number;
  readonly informer: Informer;
  readonly replica = new Replica();
  /** Times at which the cache wrongly claimed to be current. */
  readonly lies: string[] = [];
  readonly #client: Client;
  readonly #writes = new RoundWriteLog();
  #written = 0;

  constructor(environment: FaultEnvironment, seed: number) {
    this.environment = environment;
    this.clock = new ManualClock(seed);
    this.random = seededRandom(seed + 7919);
    this.#client = new Client(new Transport(environment.credentials(), {clock: this.clock}));
    this.informer = new Informer({
      client: this.#client,
      resource: resources.ConfigMaps,
      clock: this.clock,
      scopes: [{namespace: environment.namespace}],
      streaming: this.random() < 0.6,
      pageSize: this.random() < 0.5 ? 4 : undefined,
    });
    this.informer.addHandler(this.replica);
  }

  async run(faultCount: number): Promise<FaultName[]> {
    const used: FaultName[] = [];
    this.informer.start();
    if (this.random() < 0.8) await this.settle('the first list');
    for (let at = 0; at < faultCount; at++) {
      const name = faultNames[Math.floor(this.random() * faultNames.length)]!;
      used.push(name);
      await faults[name](this);
      await this.write();
      if (this.random() < 0.5) await this.rest();
      await this.#honest(name);
    }
    this.environment.proxy.rules = [];
    await this.settle(`after ${used.join(', ')}`);
    // Checks that the informer still receives changes: it could be equal by luck.
    await this.write();
    await this.settle(`a change after ${used.join(', ')}`);
    return used;
  }

  async stop(): Promise<void> {
    this.environment.proxy.rules = [];
    await this.informer.stop();
    await this.#client.transport.close();
  }

  /** A few creates, updates and deletes, straight to the server. */
  async write(): Promise<void> {
    const {namespace} = this.environment;
    const client = this.environment.server();
    for (let left = 1 + Math.floor(this.random() * 3); left > 0; left--) {
      const name = `object-${Math.floor(this.random() * 12)}`;
      const object = {metadata: {name, namespace}, data: {text: `ß€${this.#written++}`}};
      try {
        if (this.random() < 0.3) {
          await client.delete(resources.ConfigMaps, {namespace, name});
          this.#writes.note(client, name, undefined, this.clock.now());
          continue;
        }
        const {metadata} = await client.update(resources.ConfigMaps, object);
        this.#writes.note(client, name, metadata, this.clock.now());
      } catch (error) {
        if (!isApiError(error, 404)) throw error;
        const {metadata} = await client.create(resources.ConfigMaps, object);
        this.#writes.note(client, name, metadata, this.clock.now());
      }
    }
  }

  /** Checks that the cache has everything written up to 5 s before asOf. */
  async #honest(after: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      const missing = this.#writes.missing(this.environment.server(), this.informer);
      if (missing === undefined) return;
      if (tries === 50) {
        this.lies.push(`after ${after}: as of ${this.informer.asOf} without ${missing}`);
        return;
      }
      await new Promise(resolve => setTimeout(resolve, 4));
    }
  }

  /** Lets data arrive, and moves the clock to the next timer. */
  async rest(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, 1));
    const [next] = this.clock.waits();
    if (this.environment.proxy.busy === 0 && next !== undefined) this.clock.advance(next);
    await this.#honest('a rest');
  }

  #describe(what: string, wanted: string): string {
    const cache = fingerprint(this.informer.cache.list());
    const requests = this.environment.proxy.seen.slice(-4).map(({path, query}) => `${path}?${query}`);
    const {phase, reason} = this.informer.state;
    const parts = [
      what,
      `${phase}: ${reason}`,
      `last requests ${requests.join(' ')}`,
      `waits ${this.clock.waits()}`,
    ];
    return [...parts, `cache:\n${cache}`, `server:\n${wanted}`].join('\n');
  }

  /** Waits until cache, handler and server agree. Moves the clock only when no data is on its way. */
  async settle(what: string): Promise<void> {
    const list = await this.environment
      .server()
      .list(resources.ConfigMaps, {namespace: this.environment.namespace});
    const wanted = fingerprint(list.items);
    let quiet = 0;
    await eventually(
      () => this.#describe(what, wanted),
      async () =>
        (await this.#honest(what)) === undefined &&
        this.informer.hasSynced() &&
        fingerprint(this.informer.cache.list()) === wanted &&
        fingerprint(this.replica.objects.values()) === wanted,
      {
        limit: 20_000,
        every: 1,
        between: () => {
          quiet = this.environment.proxy.busy === 0 ? quiet + 1 : 0;
          const [next] = this.clock.waits();
          if (quiet >= 4 && next !== undefined) {
            this.clock.advance(next);
            quiet = 0;
          }
        },
      },
    );
  }
}

export async function runRound(environment: FaultEnvironment, seed: number): Promise<RoundResult> {
  const started = performance.now();
  const cpu = process.cpuUsage();
  const round = new Round(environment, seed);
  try {
    const used = await round.run(1 + Math.floor(round.random() * 3));
    const {user, system} = process.cpuUsage(cpu);
    const cpuMs = (user + system) / 1000;
    return {
      seed,
      faults: used,
      wrong: [...round.replica.wrong, ...round.lies],
      ms: performance.now() - started,
      cpuMs,
    };
  } finally {
    await round.stop();
  }
}
