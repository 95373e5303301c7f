// Observes a session and records every false claim: rows without a change from before their asOf, or old rows
// that are called current.

import {setTimeout as rest} from 'node:timers/promises';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {OpenSession} from '../../src/engine/link/session.ts';
import type {ProxiedRequest} from '../fault-proxy.ts';
import {type ConfirmedWriteLog, clockNow, type ObservedVersion} from './write-log.ts';

const OLD = 60_000;

interface Row {
  metadata?: {resourceVersion?: string; labels?: Record<string, string>};
  labels?: Record<string, string>;
}

export class SessionObserver {
  readonly lies: string[] = [];
  looks = 0;
  /** The longest time that a collection was without news, as it said itself. */
  oldest = 0;
  readonly #session: OpenSession;
  readonly #writeLog: ConfirmedWriteLog;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(session: OpenSession, writeLog: ConfirmedWriteLog) {
    this.#session = session;
    this.#writeLog = writeLog;
    this.#running = this.#run();
  }

  async end(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async graph(): Promise<Graph> {
    return (await this.#session.link.ask({ask: 'graph'})) as Graph;
  }

  /** Whether all collections are current, all sources follow, and the session is ready. */
  async isCurrent(): Promise<boolean> {
    const {collections} = await this.graph();
    const follows = ({kind, state}: (typeof collections)[number]) => kind !== 'source' || state === 'synced';
    if (!collections.every(one => one.current === true && follows(one))) return false;
    return (await this.#session.ready()).ready;
  }

  /** Waits until everything is current, and returns the time by performance.now(). */
  async current(limit = 60_000): Promise<number> {
    const until = performance.now() + limit;
    while (performance.now() < until) {
      if (await this.isCurrent()) return performance.now();
      await rest(50);
    }
    const {reasons} = await this.#session.ready();
    throw new Error(`not current after ${limit / 1000} s: ${reasons.join('; ')}`);
  }

  async items(collection: string): Promise<Items['items']> {
    const answer = (await this.#session.link.ask({ask: 'items', collection, limit: 1000})) as Items;
    return answer.items;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#look();
      await rest(200);
    }
  }

  async #look(): Promise<void> {
    const asked = clockNow();
    const {collections} = await this.graph();
    this.looks++;
    const asOf = new Map<string, number>();
    for (const {name, asOf: at, current} of collections) {
      if (at === undefined) continue;
      asOf.set(name, at);
      this.oldest = Math.max(this.oldest, asked - at);
      if (current === true && asked - at > OLD)
        this.#lie(`${name} calls itself current, ${Math.round(asked - at)} ms old`);
    }
    for (const collection of ['ConfigMaps', 'Pods', 'Workloads'] as const) {
      const at = asOf.get(collection);
      if (at === undefined) continue;
      // Read after the graph, so that the rows can be newer than it says, never older.
      const items = await this.items(collection);
      const shown = new Map(
        items.map(({key, value}): [string, ObservedVersion] => [key, observedVersionOf(value as Row)]),
      );
      const missing = this.#writeLog.missing(collection, at, shown);
      if (missing !== undefined) this.#lie(missing);
    }
  }

  #lie(text: string): void {
    if (this.lies.length < 20) this.lies.push(text);
  }
}

function observedVersionOf({metadata, labels}: Row): ObservedVersion {
  const turn = (metadata?.labels ?? labels)?.turn;
  return {version: metadata?.resourceVersion, turn: turn === undefined ? undefined : Number(turn)};
}

/** The second with the most requests for one kind. */
export function busiest(seen: readonly ProxiedRequest[], from: number): {path: string; asked: string[]} {
  const kinds = Map.groupBy(
    seen.filter(({at}) => at >= from),
    ({path}) => path,
  );
  let most: ProxiedRequest[] = [];
  for (const all of kinds.values())
    for (const {at} of all) {
      const second = all.filter(one => one.at >= at && one.at < at + 1000);
      if (second.length > most.length) most = second;
    }
  const [first] = most;
  const asked = most.map(({at, query}) => `${Math.round(at - (first?.at ?? 0))} ms ${query}`);
  return {path: first?.path ?? '', asked};
}
