// The collections of a running graph as explain/ knows them. What never changes of one is worked out once: this is
// asked for with every frame.
import type {CollectionFacts} from '../../explain/records.ts';
import type {Core} from '../../krt/core.ts';
import {Derived} from '../../krt/derived.ts';
import {engineCore} from '../../krt/engine.ts';
import type {Engine} from '../../krt/index.ts';
import {infoOf} from '../../krt/info.ts';

/** What the reflector of a source says; undefined for what is no source of main's. */
export type SourceFacts = Pick<CollectionFacts, 'state' | 'reason' | 'hint' | 'listed' | 'resource'>;

export class FactFinder {
  readonly #engine: Engine;
  readonly #sourceFacts: (name: string) => SourceFacts | undefined;
  readonly #parents = new Map<number, readonly string[]>();

  constructor(engine: Engine, sourceFacts: (name: string) => SourceFacts | undefined) {
    this.#engine = engine;
    this.#sourceFacts = sourceFacts;
  }

  /** In topological order, sources first. */
  all(): CollectionFacts[] {
    const cores = [...engineCore(this.#engine).cores].filter(core => !core.hidden);
    cores.sort((a, b) => a.level - b.level || a.uid - b.uid);
    return cores.map(core => this.#factsOf(core));
  }

  #factsOf(core: Core): CollectionFacts {
    const source = this.#sourceFacts(core.name);
    const waitingFor = core.synced && !(core instanceof Derived) ? undefined : waitedFor(core);
    return {
      name: core.name,
      uid: core.uid,
      kind: source === undefined ? core.kind : 'source',
      synced: core.synced,
      ...(waitingFor === undefined ? {} : {waitingFor}),
      ...(core.stopped ? {stopped: true} : {}),
      parents: this.#parentsOf(core),
      indexes: core.indexes.map(({name}) => name),
      ...source,
    };
  }

  #parentsOf(core: Core): readonly string[] {
    let parents = this.#parents.get(core.uid);
    if (parents === undefined) {
      parents = infoOf(core).inputs.flatMap(({kind, collection}) => (kind === 'fetch' ? [] : [collection]));
      this.#parents.set(core.uid, parents);
    }
    return parents;
  }
}

function waitedFor(core: Core): string | undefined {
  if (core instanceof Derived) return core.waitingFor;
  for (const upstream of core.upstreams()) if (!upstream.synced && !upstream.hidden) return upstream.name;
  return undefined;
}
