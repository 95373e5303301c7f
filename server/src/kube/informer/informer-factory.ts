// The informers of one cluster: one for each resource however many ask, all with the same transform and the
// same namespaces. Kinds that are not installed are tried again the moment a CRD comes.

import type {DynamicClient} from '../client/dynamic-client.ts';
import {type Clock, systemClock} from '../clock.ts';
import type {ReflectorPhase} from '../reflector/reflector-state.ts';
import {type Resource, resourceKey, resources} from '../resource.ts';
import {Informer, type Scope, type Transform} from './informer.ts';

export interface InformersOptions {
  client: DynamicClient;
  clock?: Clock;
  /** Only these namespaces: namespaced kinds are listed in each, Namespaces by name, the rest is tried. */
  namespaces?: readonly string[] | undefined;
  transform?: Transform | undefined;
  onProblem?: ((problem: string) => void) | undefined;
  /** Told when CRDs came, changed or went: discovery is stale. */
  onDefinitions?: (() => void) | undefined;
  /** Whether a kind that is gone is served in another version; who asks for it there takes over. */
  elsewhere?: ((resource: Resource) => Promise<boolean>) | undefined;
  streaming?: boolean | undefined;
}

export interface InformerQuery {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  as?: 'object' | 'metadata' | undefined;
}

export class Informers {
  readonly #options: InformersOptions;
  readonly #clock: Clock;
  readonly #informers = new Map<string, Informer>();
  #definitions: Informer | undefined;
  #stopped = false;

  constructor(options: InformersOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** The running informer of a resource, started by the first who asks. */
  get(resource: Resource, query: InformerQuery = {}): Informer {
    if (this.#stopped) throw new Error('the informers were stopped');
    const id = [resourceKey(resource), query.labelSelector, query.fieldSelector, query.as ?? 'object'].join(
      '|',
    );
    let informer = this.#informers.get(id);
    if (!informer) {
      informer = this.#make(resource, query);
      this.#informers.set(id, informer);
      let before: ReflectorPhase = 'listing';
      informer.addHandler({
        onState: ({phase}) => {
          if (phase === 'synced' && isDisconnected(before)) this.#wakeOthers();
          before = phase;
          if (phase === 'not installed') this.watchDefinitions();
        },
      });
      informer.start();
    }
    return informer;
  }

  /** Stops one and forgets it; asking again makes a new one. */
  async remove(informer: Informer): Promise<void> {
    for (const [id, one] of this.#informers) if (one === informer) this.#informers.delete(id);
    await informer.stop();
  }

  all(): Informer[] {
    return [...this.#informers.values()];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const all = this.#definitions ? [...this.all(), this.#definitions] : this.all();
    await Promise.all(all.map(informer => informer.stop()));
  }

  #make(resource: Resource, query: InformerQuery): Informer {
    const {client, transform, onProblem, streaming, elsewhere} = this.#options;
    const scopes = scopesOf(resource, query, this.#options.namespaces);
    return new Informer({
      client,
      resource,
      clock: this.#clock,
      scopes,
      transform,
      onProblem,
      streaming,
      as: query.as,
      elsewhere: elsewhere && (() => elsewhere(resource)),
    });
  }

  /**
   * Follows the CRDs, by their metadata alone, so that what is missing goes live when it comes and
   * `onDefinitions` is told. Begins by itself when a kind turns out not to be installed.
   */
  watchDefinitions(): void {
    if (this.#definitions || this.#stopped) return;
    const {client, onProblem, streaming} = this.#options;
    const resource = resources.CustomResourceDefinitions;
    this.#definitions = new Informer({
      client,
      resource,
      clock: this.#clock,
      as: 'metadata',
      onProblem,
      streaming,
    });
    // Also what the first list finds: a CRD may have come between the 404 and this list.
    this.#definitions.addHandler({onChanges: () => this.#definitionsChanged()});
    this.#definitions.start();
  }

  /** One that comes back has found the server: the others need not sleep on. */
  #wakeOthers(): void {
    for (const informer of this.#informers.values())
      if (isDisconnected(informer.state.phase)) informer.wake();
  }

  #definitionsChanged(): void {
    this.#options.onDefinitions?.();
    for (const informer of this.#informers.values())
      if (informer.state.phase === 'not installed') informer.wake();
  }
}

function isDisconnected(phase: ReflectorPhase): boolean {
  return phase === 'unreachable' || phase === 'reconnecting' || phase === 'unauthorized';
}

/** What to list, for namespaces that were chosen. */
export function scopesOf(
  resource: Resource,
  query: InformerQuery,
  namespaces: readonly string[] | undefined,
): Scope[] {
  const base: Scope = {};
  if (query.labelSelector) base.labelSelector = query.labelSelector;
  if (query.fieldSelector) base.fieldSelector = query.fieldSelector;
  const chosen = [...new Set(namespaces ?? [])];
  if (chosen.length === 0) return [base];
  if (resource.namespaced) return chosen.map(namespace => ({...base, namespace}));
  if (resource.group !== '' || resource.plural !== 'namespaces') return [base];
  return chosen.map(name => {
    const byName = `metadata.name=${name}`;
    const fieldSelector = base.fieldSelector ? `${base.fieldSelector},${byName}` : byName;
    return {...base, fieldSelector, name};
  });
}
