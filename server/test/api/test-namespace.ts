// A namespace for one test, with ConfigMaps to create and watch.

import type {DynamicClient, WatchOptions} from '../../src/kube/client/dynamic-client.ts';
import {isApiError} from '../../src/kube/error.ts';
import type {KubeObject, WatchEvent} from '../../src/kube/object.ts';
import {type Resource, resources} from '../../src/kube/resource.ts';
import {LineSplitter} from '../../src/kube/transport/line-splitter.ts';
import type {TestServer} from '../servers.ts';

let namespaces = 0;
export const maps = resources.ConfigMaps;

export class TestNamespace {
  readonly client: DynamicClient;
  readonly namespace = `behaviour-${process.pid}-${namespaces++}`;

  constructor(server: TestServer) {
    this.client = server.client;
  }

  static async make(server: TestServer): Promise<TestNamespace> {
    const place = new TestNamespace(server);
    await place.client.create(resources.Namespaces, {metadata: {name: place.namespace}});
    return place;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.client.delete(resources.Namespaces, {name: this.namespace});
    } catch (error) {
      if (!isApiError(error, 404, 409)) throw error;
    }
  }

  create(name: string, metadata: object = {}, data: Record<string, string> = {}): Promise<KubeObject> {
    return this.client.create(maps, {
      metadata: {name, namespace: this.namespace, labels: {suite: 'yes'}, ...metadata},
      data,
    });
  }

  async exists(resource: Resource, name: string): Promise<boolean> {
    try {
      await this.client.get(resource, {namespace: this.namespace, name});
      return true;
    } catch (error) {
      if (isApiError(error, 404)) return false;
      throw error;
    }
  }

  /** The events of a watch as they arrive. Ends with the namespace. */
  async watch(
    options: WatchOptions = {},
    resource: Resource = maps,
  ): Promise<{events: WatchEvent[]; ended: () => boolean; stop: () => void}> {
    const abort = new AbortController();
    const query = {namespace: this.namespace, labelSelector: 'suite', signal: abort.signal, ...options};
    const {body} = await this.client.watch(resource, query);
    const events: WatchEvent[] = [];
    const splitter = new LineSplitter();
    let ended = false;
    body.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) events.push(JSON.parse(line) as WatchEvent);
    });
    body.on('end', () => (ended = true));
    body.on('error', () => (ended = true));
    return {events, ended: () => ended, stop: () => abort.abort()};
  }
}
