// Writes to a server continuously and records what it confirmed and when: rows must hold it if their asOf is
// true.

import {setTimeout as rest} from 'node:timers/promises';
import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {isApiError} from '../../src/kube/error.ts';
import {resources} from '../../src/kube/resource.ts';
import {compareVersions} from '../../src/kube/resource-version.ts';

/** Milliseconds since 1970 by the clock of asOf. */
export const clockNow = () => performance.timeOrigin + performance.now();

/** Milliseconds that a link may take. */
const SLACK = 5000;

interface Write {
  /** Undefined for a delete. */
  version: string | undefined;
  /** Pods carry the number of their write as a label. */
  turn?: number;
  at: number;
}

export interface ObservedVersion {
  version: string | undefined;
  turn: number | undefined;
}

export class ConfirmedWriteLog {
  readonly namespace: string;
  writes = 0;
  readonly #client: DynamicClient;
  readonly #pods: string[];
  readonly #noted = new Map<string, Write[]>();
  #generation = 0;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(client: DynamicClient, namespace: string) {
    this.#client = client;
    this.namespace = namespace;
    this.#pods = Array.from({length: 6}, (_, at) => `pod-${at}`);
  }

  /** Runs the Pods, so that Workloads has a row for each. */
  async begin(): Promise<void> {
    const {namespace} = this;
    await this.#client.create(resources.Namespaces, {metadata: {name: namespace}});
    for (const name of this.#pods) {
      await this.#client.create(resources.Pods, {
        metadata: {namespace, name, labels: {app: 'weather', turn: '0'}},
        spec: {nodeName: 'n1', containers: [{name: 'main', image: 'weather'}]},
      });
      const status = {phase: 'Running', podIP: '10.1.2.3', conditions: [{type: 'Ready', status: 'True'}]};
      await this.#client.patch(
        resources.Pods,
        {namespace, name},
        {status},
        {type: 'merge', subresource: 'status'},
      );
    }
    this.#running = this.#write();
  }

  async end(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** The server was restored to an earlier state, so confirmed writes do not count any more. */
  forget(): void {
    this.#generation++;
    this.#noted.clear();
  }

  /** Collection and key of a write that rows with this `asOf` should hold and do not. */
  missing(
    collection: 'ConfigMaps' | 'Pods' | 'Workloads',
    asOf: number,
    held: Map<string, ObservedVersion>,
  ): string | undefined {
    const kind = collection === 'Workloads' ? 'Pods' : collection;
    for (const [id, writes] of this.#noted) {
      const [of, key = ''] = id.split(' ');
      const due = of === kind ? writes.findLast(({at}) => at <= asOf - SLACK) : undefined;
      if (due === undefined) continue;
      const later = writes.at(-1) !== due;
      const now = held.get(key);
      if (now === undefined ? due.version === undefined || later : isNotOlder(now, due, later)) continue;
      const shown = now === undefined ? 'no row' : `version ${now.version}, turn ${now.turn}`;
      return `${collection} ${key}: ${shown} where ${due.version === undefined ? 'it was deleted' : `version ${due.version}, turn ${due.turn} was written`} ${Math.round(asOf - due.at)} ms before asOf`;
    }
    return undefined;
  }

  async #write(): Promise<void> {
    while (!this.#stopped) {
      const generation = this.#generation;
      const turn = ++this.writes;
      const name = turn % 2 === 0 ? this.#pods[turn % this.#pods.length]! : `map-${turn % 14}`;
      const kind = turn % 2 === 0 ? 'Pods' : 'ConfigMaps';
      const id = `${kind} ${this.namespace}/${name}`;
      try {
        const write = kind === 'Pods' ? await this.#label(name, turn) : await this.#map(name, turn);
        const writes = this.#noted.get(id) ?? [];
        if (generation === this.#generation)
          this.#noted.set(id, [...writes.slice(-40), {...write, at: clockNow()}]);
      } catch {
        // The result of the write is unknown: expects nothing of this object until its next write.
        this.#noted.delete(id);
      }
      await rest(60);
    }
  }

  async #label(name: string, turn: number): Promise<Omit<Write, 'at'>> {
    const {namespace} = this;
    const patch = {metadata: {labels: {turn: String(turn)}}};
    const {metadata} = await this.#client.patch(resources.Pods, {namespace, name}, patch, {type: 'merge'});
    return {version: metadata.resourceVersion, turn};
  }

  async #map(name: string, turn: number): Promise<Omit<Write, 'at'>> {
    const {namespace} = this;
    const object = {metadata: {namespace, name}, data: {turn: String(turn)}};
    try {
      if (turn % 5 === 0) {
        await this.#client.delete(resources.ConfigMaps, {namespace, name});
        return {version: undefined};
      }
      const {metadata} = await this.#client.update(resources.ConfigMaps, object);
      return {version: metadata.resourceVersion};
    } catch (error) {
      if (!isApiError(error, 404)) throw error;
      if (turn % 5 === 0) return {version: undefined};
      const {metadata} = await this.#client.create(resources.ConfigMaps, object);
      return {version: metadata.resourceVersion};
    }
  }
}

function isNotOlder(now: ObservedVersion, due: Write, later: boolean): boolean {
  if (due.version === undefined) return later;
  if (now.version !== undefined) return (compareVersions(now.version, due.version) ?? -1) >= 0;
  return (now.turn ?? -1) >= (due.turn ?? 0);
}
