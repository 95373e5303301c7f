// The writes to Leases and ConfigMaps of a server in the order of etcd's revisions, and a judge over them.
import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {systemClock} from '../../src/kube/clock.ts';
import {Informer} from '../../src/kube/informer/informer.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {type Resource, resources} from '../../src/kube/resource.ts';

const configMaps = {group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true};

/** One stored write: a renewal or takeover of the lease, or a write of a candidate. */
export interface StoredWrite {
  /** etcd's revision, which is the same counter for all objects. */
  revision: bigint;
  lease: boolean;
  by: string;
}

export interface JudgedWrites {
  writes: number;
  /** Writes that were stored while another process held the lease, in words. */
  late: string[];
}

/** Compares each write with the holder of the lease at its revision. */
export function judge(entries: readonly StoredWrite[]): JudgedWrites {
  const ordered = entries.toSorted((a, b) => (a.revision < b.revision ? -1 : 1));
  let holder: string | undefined;
  let since = 0n;
  const judged: JudgedWrites = {writes: 0, late: []};
  for (const {revision, lease, by} of ordered) {
    if (lease) {
      if (holder !== by) since = revision;
      holder = by;
      continue;
    }
    // The holder is unknown until the first write to the lease.
    if (holder === undefined) continue;
    judged.writes++;
    if (by !== holder)
      judged.late.push(`revision ${revision} is of ${by}; ${holder} holds the lease since revision ${since}`);
  }
  return judged;
}

export class WriteHistory {
  readonly entries: StoredWrite[] = [];
  readonly #informers: Informer[];
  readonly #counts = new Map<string, number>();

  constructor(client: DynamicClient) {
    const follow = (resource: Resource, read: (object: KubeObject) => StoredWrite | undefined) => {
      const scopes = [{namespace: 'default'}];
      const informer = new Informer({client, resource, clock: systemClock, scopes});
      const note = (object: KubeObject) => {
        const entry = read(object);
        if (!entry) return;
        this.entries.push(entry);
        if (!entry.lease) this.#counts.set(entry.by, this.writesOf(entry.by) + 1);
      };
      informer.addHandler({
        onChange: change => {
          if (change.new) note(change.new);
        },
      });
      return informer;
    };
    const of = (object: KubeObject) => BigInt(object.metadata.resourceVersion ?? '0');
    this.#informers = [
      follow(resources.Leases, object =>
        object.metadata.name === 'pause-lock'
          ? {
              revision: of(object),
              lease: true,
              by: (object.spec as {holderIdentity?: string}).holderIdentity ?? '',
            }
          : undefined,
      ),
      follow(configMaps, object =>
        object.metadata.name?.startsWith('pause-work-')
          ? {revision: of(object), lease: false, by: (object.data as {by?: string}).by ?? ''}
          : undefined,
      ),
    ];
  }

  async start(): Promise<void> {
    for (const informer of this.#informers) informer.start();
    await Promise.all(this.#informers.map(informer => informer.waitForSync()));
    // The list has only last states; the judge needs every write.
    this.entries.length = 0;
  }

  stop(): void {
    for (const informer of this.#informers) void informer.stop();
  }

  writesOf(by: string): number {
    return this.#counts.get(by) ?? 0;
  }
}
