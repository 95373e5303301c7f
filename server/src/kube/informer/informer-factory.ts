// Shares informers of one cluster: one informer for each resource, all with the same transform and namespaces.
// When a CRD changes, informers of kinds that are not installed try again.

import type {DynamicClient} from '../client/dynamic-client.ts';
import {type Clock, systemClock} from '../clock.ts';
import type {ReflectorPhase} from '../reflector/reflector-state.ts';
import {type Resource, resourceKey, resources} from '../resource.ts';
import {AuditSchedule} from './audit-schedule.ts';
import type {Transform} from './entry-maker.ts';
import {Informer, type Scope} from './informer.ts';
import {withoutRepeats} from './problem-log.ts';

export interface InformersOptions {
  client: DynamicClient;
  clock?: Clock;
  /** Lists namespaced kinds in each of these and Namespaces by name. Other kinds are listed as usual. */
  namespaces?: readonly string[] | undefined;
  transform?: Transform | undefined;
  /** Leave out and report objects that cannot be used. */
  withhold?: boolean | undefined;
  /** Let objects share their equal parts. Only for callers that never change an object. */
  share?: boolean | undefined;
  onProblem?: ((problem: string) => void) | undefined;
  /** Called when CRDs change, because cached discovery is then stale. */
  onDefinitions?: (() => void) | undefined;
  /** Tells whether a missing kind is served in another version. An informer of that version takes over. */
  elsewhere?: ((resource: Resource) => Promise<boolean>) | undefined;
  streaming?: boolean | undefined;
  /** True: compares every cache with the server periodically, to repair lost events. Default: false. */
  audits?: boolean | undefined;
}

export interface InformerQuery {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  as?: 'object' | 'metadata' | undefined;
}

export class Informers {
  readonly #options: InformersOptions;
  readonly #clock: Clock;
  readonly #onProblem: (problem: string) => void;
  readonly #informers = new Map<string, Informer>();
  readonly #audits: AuditSchedule | undefined;
  #definitions: Informer | undefined;
  #stopped = false;

  constructor(options: InformersOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#onProblem = withoutRepeats(options.onProblem, this.#clock);
    if (options.audits) this.#audits = new AuditSchedule(this.#clock, () => this.all());
  }

  /** Returns the running informer of a resource. The first call starts it. */
  get(resource: Resource, query: InformerQuery = {}): Informer {
    if (this.#stopped) throw new Error('the informers were stopped');
    const id = [resourceKey(resource), query.labelSelector, query.fieldSelector, query.as ?? 'object'].join(
      '|',
    );
    let informer = this.#informers.get(id);
    if (!informer) {
      informer = this.#make(resource, query);
      this.#informers.set(id, informer);
      let previous: ReflectorPhase = 'listing';
      informer.addHandler({
        onState: ({phase}) => {
          // A lost watch that is open again says nothing of the others. They would wake each other for ever.
          if (phase === 'synced' && isAway(previous)) this.#wakeOthers();
          previous = phase;
          if (phase === 'not installed') this.watchDefinitions();
        },
      });
      informer.start();
    }
    return informer;
  }

  /** Stops and forgets an informer. The next `get` creates a new one. */
  async remove(informer: Informer): Promise<void> {
    for (const [id, one] of this.#informers) if (one === informer) this.#informers.delete(id);
    await informer.stop();
  }

  all(): Informer[] {
    return [...this.#informers.values()];
  }

  /** Compares every cache with the server now, one after the other. */
  async auditAll(): Promise<void> {
    await this.#audits?.auditAll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#audits?.stop();
    const all = this.#definitions ? [...this.all(), this.#definitions] : this.all();
    await Promise.all(all.map(informer => informer.stop()));
  }

  #make(resource: Resource, query: InformerQuery): Informer {
    const {client, transform, withhold, share, streaming, elsewhere} = this.#options;
    const scopes = scopesOf(resource, query, this.#options.namespaces);
    return new Informer({
      client,
      resource,
      clock: this.#clock,
      scopes,
      transform,
      withhold,
      share,
      onProblem: this.#onProblem,
      streaming,
      as: query.as,
      elsewhere: elsewhere && (() => elsewhere(resource)),
    });
  }

  /**
   * Watches the metadata of CRDs, so that missing kinds start once they are installed. Also starts on its own
   * when a kind is not installed.
   */
  watchDefinitions(): void {
    if (this.#definitions || this.#stopped) return;
    const {client, streaming} = this.#options;
    const resource = resources.CustomResourceDefinitions;
    this.#definitions = new Informer({
      client,
      resource,
      clock: this.#clock,
      as: 'metadata',
      onProblem: this.#onProblem,
      streaming,
    });
    // The first list counts too: a CRD may appear between the 404 and this list.
    this.#definitions.addHandler({onChanges: () => this.#definitionsChanged()});
    this.#definitions.start();
  }

  /** When one informer reaches the server again, the others retry without waiting. */
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

function isAway(phase: ReflectorPhase): boolean {
  return phase === 'unreachable' || phase === 'unauthorized';
}

function isDisconnected(phase: ReflectorPhase): boolean {
  return phase === 'unreachable' || phase === 'reconnecting' || phase === 'unauthorized';
}

/** Returns what to list for the chosen namespaces. */
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
