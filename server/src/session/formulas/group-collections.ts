// The group collections that formulas and drafts name, such as `Pods by spec.nodeName`. Each exists while one uses it.

import type {Graph} from '@krtscope/shared/graph.ts';
import {parseGroupName} from '@krtscope/shared/groups/group-name.ts';
import type {EngineFailure, EngineHandle} from '../../engine/link/engine-link.ts';

const CHECK_MS = 60_000;
/** A draft that stopped using a group for this long counts as closed. */
const UNUSED_MS = 10 * CHECK_MS;

interface UsedGroup {
  made: Promise<void>;
  lastUse: number;
}

export class GroupCollections {
  readonly #engine: Pick<EngineHandle, 'ask' | 'command'>;
  readonly #now: () => number;
  readonly #groups = new Map<string, UsedGroup>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(engine: Pick<EngineHandle, 'ask' | 'command'>, now: () => number = Date.now) {
    this.#engine = engine;
    this.#now = now;
  }

  /** Resolves when the groups among these names exist. A group may wait for the collection that it is made of. */
  async use(names: readonly string[]): Promise<void> {
    for (const name of names) if (parseGroupName(name) !== undefined) await this.#use(name);
  }

  /** For a draft, which cannot wait: ignores groups of collections that do not exist, and of groups. */
  async useExisting(names: readonly string[]): Promise<void> {
    const groups = names.filter(name => parseGroupName(name) !== undefined && !this.#groups.has(name));
    if (groups.length === 0) return this.use(names);
    const {collections} = (await this.#engine.ask({ask: 'graph'})) as Graph;
    const existing = new Set(collections.flatMap(({name, kind}) => (kind === 'index' ? [] : [name])));
    await this.use(names.filter(name => existing.has(parseGroupName(name)?.collection ?? '')));
  }

  /** Drops the groups of a collection that no formula reads, so that they do not count as its readers. */
  async release(collection: string): Promise<void> {
    for (const name of [...this.#groups.keys()])
      if (parseGroupName(name)?.collection === collection) await this.#drop(name);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #use(name: string): Promise<void> {
    let group = this.#groups.get(name);
    if (group === undefined) {
      const made = this.#engine.command({command: 'put-group', name}).then(() => {});
      group = {made, lastUse: 0};
      this.#groups.set(name, group);
      this.#schedule();
    }
    group.lastUse = this.#now();
    try {
      await group.made;
    } catch (error) {
      this.#groups.delete(name);
      throw error;
    }
  }

  #schedule(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#dropUnused(), CHECK_MS);
    this.#timer.unref();
  }

  async #dropUnused(): Promise<void> {
    const end = this.#now() - UNUSED_MS;
    for (const [name, {lastUse}] of [...this.#groups]) if (lastUse < end) await this.#drop(name);
    this.#timer = undefined;
    if (this.#groups.size > 0) this.#schedule();
  }

  /** A group that a formula reads stays. */
  async #drop(name: string): Promise<void> {
    const group = this.#groups.get(name);
    this.#groups.delete(name);
    try {
      await this.#engine.command({command: 'drop-group', name});
    } catch (error) {
      const isRead = (error as EngineFailure).code === 'in-use';
      if (isRead && group !== undefined) this.#groups.set(name, {...group, lastUse: this.#now()});
    }
  }
}
