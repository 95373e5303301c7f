// An informer behind a fault proxy, with a manual clock. Shows the requests, and the events that handlers
// received.

import {DynamicClient as Client, type DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {tokenCredentials} from '../../src/kube/credentials/credentials.ts';
import type {Change} from '../../src/kube/informer/change-handler.ts';
import {Informer, type InformerOptions} from '../../src/kube/informer/informer.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import type {Gap, ReflectorPhase, ReflectorState} from '../../src/kube/reflector/reflector-state.ts';
import {type Resource, resources} from '../../src/kube/resource.ts';
import {Transport} from '../../src/kube/transport/transport.ts';
import {FaultProxy, type ProxiedRequest} from '../fault-proxy.ts';
import {eventually, ManualClock} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';

let namespaces = 0;

export class InformerRig {
  readonly server: TestServer;
  readonly proxy: FaultProxy;
  readonly clock = new ManualClock();
  readonly client: DynamicClient;
  readonly namespace: string;
  readonly changes: Change[] = [];
  readonly gaps: Gap[] = [];
  readonly states: ReflectorState[] = [];
  readonly problems: string[] = [];
  #informers: Informer[] = [];

  private constructor(server: TestServer, proxy: FaultProxy, namespace: string) {
    this.server = server;
    this.proxy = proxy;
    this.namespace = namespace;
    this.client = new Client(new Transport(tokenCredentials(proxy.url, 'any'), {clock: this.clock}));
  }

  /** A rig in a new namespace with some ConfigMaps. */
  static async make(server: TestServer, objects: readonly string[] = []): Promise<InformerRig> {
    const proxy = new FaultProxy(server);
    await proxy.start();
    const namespace = `reflector-${process.pid}-${namespaces++}`;
    await server.client.create(resources.Namespaces, {metadata: {name: namespace}});
    const rig = new InformerRig(server, proxy, namespace);
    for (const name of objects) await rig.create(name);
    return rig;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#informers.map(informer => informer.stop()));
    await this.client.transport.close();
    await this.proxy.close();
    await this.server.client.delete(resources.Namespaces, {name: this.namespace});
  }

  /** An informer of the rig's ConfigMaps. Servers add one of their own to each namespace. */
  informer(options: Partial<InformerOptions> = {}): Informer {
    const informer = new Informer({
      client: this.client,
      resource: resources.ConfigMaps,
      clock: this.clock,
      scopes: [{namespace: this.namespace, labelSelector: 'suite=reflector'}],
      onProblem: problem => this.problems.push(problem),
      ...options,
    });
    this.#informers.push(informer);
    informer.addHandler({
      onChange: change => this.changes.push(change),
      onGap: gap => this.gaps.push(gap),
      onState: state => this.states.push(state),
    });
    return informer;
  }

  /** Starts an informer and waits for its first list and for the watch that follows it. */
  async synced(options: Partial<InformerOptions> = {}): Promise<Informer> {
    const informer = this.informer(options);
    informer.start();
    await eventually(
      `synced, but ${JSON.stringify(informer.state)}`,
      () => informer.hasSynced() && this.proxy.watches > 0,
    );
    return informer;
  }

  /** Ends the open watches as a server does after a quiet time. */
  async endWatches(): Promise<void> {
    // The proxy sees a watch open a moment before the client.
    await new Promise(resolve => setTimeout(resolve, 10));
    this.clock.advance(2000);
    this.proxy.endWatches();
  }

  create(
    name: string,
    data: Record<string, string> = {text: name},
    labels = {suite: 'reflector'},
  ): Promise<KubeObject> {
    const metadata = {name, namespace: this.namespace, labels};
    return this.server.client.create(resources.ConfigMaps, {metadata, data}, {fieldManager: 'suite'});
  }

  update(name: string, data: Record<string, string>, fieldManager = 'suite'): Promise<KubeObject> {
    const ref = {namespace: this.namespace, name};
    return this.server.client.patch(resources.ConfigMaps, ref, {data}, {type: 'merge', fieldManager});
  }

  async remove(name: string, resource: Resource = resources.ConfigMaps): Promise<void> {
    await this.server.client.delete(resource, {namespace: this.namespace, name});
  }

  /** Events of the handlers, such as `add a`, `update a`, `delete a`. */
  heard(): string[] {
    return this.changes.map(({event, key}) => `${event} ${key.slice(key.indexOf('/') + 1)}`);
  }

  hears(...lines: string[]): Promise<void> {
    return eventually(
      () => `${lines.join(', ')}; heard ${this.heard().join(', ')}`,
      () => this.heard().join() === lines.join(),
    );
  }

  reaches(informer: Informer, phase: ReflectorPhase): Promise<void> {
    return eventually(
      () => `${phase}; it is ${JSON.stringify(informer.state)}`,
      () => informer.state.phase === phase,
    );
  }

  /** Waits for a timer and moves the clock to its end. */
  async wake(): Promise<number> {
    await eventually('something waits', () => this.clock.waits().length > 0 && this.proxy.busy === 0);
    const [next] = this.clock.waits();
    this.clock.advance(next!);
    return next!;
  }

  /** The informer's requests: LIST or WATCH with the relevant parameters. */
  requests(from = 0): ObservedRequest[] {
    return this.proxy.seen
      .slice(from)
      .map(seen => ({verb: seen.watch ? 'WATCH' : 'LIST', ...pickQuery(seen)}));
  }

  /** Waits for the next request after the first `count`. */
  async nextRequest(count: number): Promise<ObservedRequest> {
    await eventually('another request', () => this.proxy.seen.length > count);
    return this.requests(count)[0]!;
  }
}

interface ObservedRequest {
  verb: 'LIST' | 'WATCH';
  version: string | null;
  limit: string | null;
  continued: boolean;
  streaming: boolean;
}

function pickQuery({query}: ProxiedRequest): Omit<ObservedRequest, 'verb'> {
  return {
    version: query.get('resourceVersion'),
    limit: query.get('limit'),
    continued: query.has('continue'),
    streaming: query.has('sendInitialEvents'),
  };
}
