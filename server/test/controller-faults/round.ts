// One seeded round: a controller behind the proxy, changing parents, and responses that are cut, late,
// refused or doubled. At the end the cluster is as requested, and no decision led to two writes.
import type {EmbeddedCluster} from '../../src/cluster/start.ts';
import {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {tokenCredentials} from '../../src/kube/credentials/credentials.ts';
import {isApiError} from '../../src/kube/error.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {resources} from '../../src/kube/resource.ts';
import {Transport} from '../../src/kube/transport/transport.ts';
import {controllerOf, createManager, silentLogger} from '../../src/runtime/index.ts';
import {type Fault, type FaultProxy, type ProxiedRequest, statusBody} from '../fault-proxy.ts';
import {eventually, ManualClock, seededRandom} from '../manual-clock.ts';
import {addFamilies, DECISION, isParent, wanted} from './families.ts';

interface ControllerFaultEnvironment {
  cluster: EmbeddedCluster;
  proxy: FaultProxy;
}

const faultKinds = [
  'cut',
  'cut in the answer',
  'late',
  'refused',
  'too many',
  'broken',
  'doubled',
  'watches cut',
] as const;

export class ControllerRound {
  readonly used: string[] = [];
  readonly #environment: ControllerFaultEnvironment;
  readonly #careless: boolean;
  readonly #namespace: string;
  readonly #clock: ManualClock;
  readonly #random: () => number;
  readonly #server: DynamicClient;
  readonly #made = new Map<string, number>();
  readonly #stop = new AbortController();
  #decisions = 0;

  /** `careless`: uses a controller with the error, to prove that the suite finds it. */
  constructor(environment: ControllerFaultEnvironment, seed: number, {careless = false} = {}) {
    this.#careless = careless;
    this.#environment = environment;
    this.#namespace = `round-${seed}${careless ? '-careless' : ''}`;
    this.#clock = new ManualClock(seed);
    this.#random = seededRandom(seed + 104_729);
    this.#server = new DynamicClient(environment.cluster.wire);
  }

  /** Returns the errors at the end. */
  async run(): Promise<string[]> {
    const {cluster, proxy} = this.#environment;
    const hear = (_shelf: string, {type, object}: {type: string; object: KubeObject}) => {
      const decision = object.metadata.annotations?.[DECISION];
      if (type === 'ADDED' && decision) this.#made.set(decision, (this.#made.get(decision) ?? 0) + 1);
    };
    cluster.api.storage.listeners.add(hear);
    await this.#server.create(resources.Namespaces, {metadata: {name: this.#namespace}});
    const transport = new Transport(tokenCredentials(proxy.url, 'anyone'), {
      readOnly: false,
      clock: this.#clock,
    });
    const manager = await createManager({
      transport,
      clock: this.#clock,
      log: silentLogger,
      metrics: {bindAddress: '0'},
      cache: {namespaces: {[this.#namespace]: {}}, streaming: this.#random() < 0.5},
      gracefulShutdownTimeout: 0,
      report: false,
    });
    await addFamilies(manager, {
      namespace: this.#namespace,
      decide: () => `${this.#namespace}-${++this.#decisions}`,
      careless: this.#careless,
    });
    const ended = manager.start(this.#stop.signal);
    try {
      for (let blows = 2 + Math.floor(this.#random() * 4); blows > 0; blows--) {
        await this.#people();
        this.#fault();
        await this.#rest(2 + Math.floor(this.#random() * 10));
      }
      proxy.rules = [];
      await this.#people();
      await this.#settle();
    } finally {
      proxy.rules = [];
      this.#stop.abort();
      await ended;
      await transport.close();
      cluster.api.storage.listeners.delete(hear);
      await this.#server.delete(resources.Namespaces, {name: this.#namespace});
    }
    return [...this.#made]
      .filter(([, times]) => times > 1)
      .map(([id, times]) => `decision ${id} made ${times} objects`);
  }

  /** Creates, changes or deletes a parent. */
  async #people(): Promise<void> {
    const namespace = this.#namespace;
    for (let left = 1 + Math.floor(this.#random() * 2); left > 0; left--) {
      const name = `parent-${Math.floor(this.#random() * 3)}`;
      const data = {children: String(Math.floor(this.#random() * 4))};
      try {
        if (this.#random() < 0.25) await this.#server.delete(resources.ConfigMaps, {namespace, name});
        else await this.#server.patch(resources.ConfigMaps, {namespace, name}, {data}, {type: 'merge'});
      } catch (error) {
        if (!isApiError(error, 404)) throw error;
        const metadata = {name, namespace};
        await this.#server.create(resources.ConfigMaps, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata,
          data,
        });
      }
    }
  }

  /** Adds a fault to the next few requests. */
  #fault(): void {
    const {proxy} = this.#environment;
    const kind = faultKinds[Math.floor(this.#random() * faultKinds.length)]!;
    this.used.push(kind);
    const bytes = Math.floor(this.#random() * 400);
    let left = 1 + Math.floor(this.#random() * 4);
    const some = (fault: Fault, fits: (seen: ProxiedRequest) => boolean = () => true) => {
      proxy.rules = [seen => (fits(seen) && left-- > 0 ? fault : undefined)];
    };
    switch (kind) {
      case 'cut':
        return some({kind: 'reset'});
      case 'cut in the answer':
        // The server has done the write, and the client does not know.
        return some({kind: 'reset-after', bytes}, seen => seen.method !== 'GET' || this.#random() < 0.3);
      case 'late':
        return some({kind: 'slow', ms: 3});
      case 'refused':
        return some({kind: 'answer', code: 500, body: statusBody(500, 'InternalError', 'out of order')});
      case 'too many': {
        const body = statusBody(429, 'TooManyRequests', 'wait', {retryAfterSeconds: 1});
        return some({kind: 'answer', code: 429, headers: {'retry-after': '1'}, body});
      }
      case 'broken':
        return some({kind: 'truncate-after', bytes});
      case 'doubled':
        some({kind: 'duplicate'}, seen => seen.watch);
        return proxy.endWatches();
      case 'watches cut':
        return proxy.resetAll();
    }
  }

  /** Lets requests finish, and moves the clock to the next timer. */
  async #rest(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      await new Promise(resolve => setTimeout(resolve, 1));
      this.#advance();
    }
  }

  #advance(): void {
    const [next] = this.#clock.waits();
    // Ignores the resync after ten hours.
    if (this.#environment.proxy.busy === 0 && next !== undefined && next < 120_000) this.#clock.advance(next);
  }

  async #settle(): Promise<void> {
    let quiet = 0;
    await eventually(
      () => `${this.#namespace} after ${this.used.join(', ')}: ${this.#difference() ?? 'nothing'}`,
      () => {
        quiet = this.#difference() === undefined ? quiet + 1 : 0;
        return quiet > 5;
      },
      {every: 1, limit: 30_000, between: () => this.#advance()},
    );
  }

  #difference(): string | undefined {
    const {storeName: shelf} = this.#environment.cluster.api.resources.must('', 'v1', 'configmaps');
    const shelves = this.#environment.cluster.api.storage.resourceStore(shelf);
    const objects = Array.from(shelves.keys(`${this.#namespace}/`), key => shelves.objects.get(key)!);
    const parents = objects.filter(isParent as (object: KubeObject) => boolean);
    for (const parent of parents) {
      const own = objects.filter(one => controllerOf(one)?.uid === parent.metadata.uid).length;
      if (parent.metadata.deletionTimestamp) return `${parent.metadata.name} is still going`;
      if (own !== wanted(parent as never))
        return `${parent.metadata.name} has ${own} of ${wanted(parent as never)}`;
    }
    const stray = objects.find(one => {
      const owner = controllerOf(one);
      return owner !== undefined && !parents.some(parent => parent.metadata.uid === owner.uid);
    });
    return stray && `${stray.metadata.name} has lost its parent`;
  }
}
