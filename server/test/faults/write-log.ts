// The writes of a round with their times. They tell what a cache must hold if its asOf is true.

import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import type {Informer} from '../../src/kube/informer/informer.ts';
import type {ObjectMeta} from '../../src/kube/object.ts';
import {compareVersions} from '../../src/kube/resource-version.ts';

interface Write {
  server: DynamicClient;
  name: string;
  /** Undefined for a delete. */
  version: string | undefined;
  at: number;
}

/** Milliseconds that a link may take. */
const SLACK = 5000;

export class RoundWriteLog {
  readonly #writes: Write[] = [];

  note(server: DynamicClient, name: string, metadata: ObjectMeta | undefined, at: number): void {
    this.#writes.push({server, name, version: metadata?.resourceVersion, at});
  }

  /** A write that the cache should have and has not. Ignores writes to a replaced server. */
  missing(server: DynamicClient, informer: Informer): string | undefined {
    const bound = informer.asOf - SLACK;
    const due = new Map<string, Write>();
    const open = new Set<string>();
    for (const write of this.#writes) {
      if (write.server !== server) continue;
      if (write.at <= bound) due.set(write.name, write);
      else open.add(write.name);
    }
    const cached = new Map(informer.cache.list().map(({metadata}) => [metadata.name, metadata]));
    for (const {name, version, at} of due.values()) {
      const now = cached.get(name)?.resourceVersion;
      // A later write may be there already.
      if (
        now === undefined ? version === undefined || open.has(name) : isNotOlder(now, version, open.has(name))
      )
        continue;
      return `${version === undefined ? 'the delete' : `version ${version}`} of ${name} at ${at}`;
    }
    return undefined;
  }
}

function isNotOlder(now: string, version: string | undefined, written: boolean): boolean {
  return version === undefined ? written : (compareVersions(now, version) ?? -1) >= 0;
}
