// Builds a controller: its own kind, the other kinds that it watches, and the requests of each watch.

import type {Clock} from '../../kube/clock.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Cache} from '../cache/cache.ts';
import {groupKindId, type Kind, metadataOf} from '../scheme/kind.ts';
import {Controller} from './controller.ts';
import type {ControllerDependencies, ControllerOptions} from './controller-options.ts';
import {type EventHandler, enqueueObject, enqueueOwner, type ScopeFinder} from './event-handler.ts';
import {kindSource, type Source, type SourceRole} from './event-source.ts';
import type {Predicate} from './predicate.ts';
import type {ReconcileFunction, Reconciler} from './reconciler.ts';

/** The part of a manager that a builder uses. */
export interface ControllerHost {
  readonly cache: Cache;
  readonly mapper: ScopeFinder;
  readonly clock: Clock;
  readonly controllerDefaults: ControllerDefaults;
  readonly surroundings: ControllerDependencies;
  /** Throws when another controller has the name. */
  claimName(name: string): void;
  add(controller: Controller): void;
}

/** Default options for the controllers of a manager. */
export interface ControllerDefaults extends ControllerOptions {
  /** maxConcurrentReconciles by `Kind.group`, or `Kind` in the core group. */
  groupKindConcurrency?: Readonly<Record<string, number>> | undefined;
}

export interface WatchOptions<T extends KubeObject = KubeObject> {
  /** All must accept the event, after those of `withEventFilter`. */
  predicates?: readonly Predicate<T>[] | undefined;
  /** Watch only the metadata. Read it as `metadataOf(kind)` too, to avoid a second watch. */
  onlyMetadata?: boolean | undefined;
}

export interface OwnsOptions<T extends KubeObject = KubeObject> extends WatchOptions<T> {
  /** Enqueue every owner of the kind, not only the controller owner. */
  everyOwner?: boolean | undefined;
}

interface RequestedWatch {
  role: SourceRole;
  kind: Kind;
  handler: (host: ControllerHost, of: Kind | undefined) => EventHandler;
  options: WatchOptions;
}

/** Starts a builder: `controllerFor(manager).for(Database).owns(StatefulSet).complete(reconcile)`. */
export function controllerFor(host: ControllerHost): ControllerBuilder {
  return new ControllerBuilder(host);
}

export class ControllerBuilder {
  readonly #host: ControllerHost;
  readonly #watches: RequestedWatch[] = [];
  readonly #raw: Source[] = [];
  readonly #filters: Predicate[] = [];
  #for: Kind | undefined;
  #name: string | undefined;
  #options: ControllerOptions = {};
  #built = false;

  constructor(host: ControllerHost) {
    this.#host = host;
  }

  /** The kind of the requests. Call it once. */
  for<T extends KubeObject>(kind: Kind<T>, options: WatchOptions<T> = {}): this {
    if (this.#for)
      throw new Error(`this controller is already for ${this.#for.kind}; use watches for other kinds`);
    this.#for = kind as unknown as Kind;
    return this.#add('for', kind, () => enqueueObject(), options);
  }

  /** A kind of objects that the objects of `for` own. A change enqueues the controller owner. */
  owns<T extends KubeObject>(kind: Kind<T>, options: OwnsOptions<T> = {}): this {
    const {everyOwner} = options;
    const handler = (host: ControllerHost, of: Kind | undefined) => {
      if (!of) throw new Error(`owns(${kind.kind}) needs for(…): it enqueues the owner of that kind`);
      return enqueueOwner(of, host.mapper, {everyOwner});
    };
    return this.#add('owns', kind, handler, options);
  }

  /** Any other kind. The handler returns the requests of a change. */
  watches<T extends KubeObject>(
    kind: Kind<T>,
    handler: EventHandler<T>,
    options: WatchOptions<T> = {},
  ): this {
    return this.#add('watches', kind, () => handler as unknown as EventHandler, options);
  }

  /** Like `watches`, with metadata only. */
  watchesMetadata(kind: Kind, handler: EventHandler, options: WatchOptions = {}): this {
    return this.watches(kind, handler, {...options, onlyMetadata: true});
  }

  /** A channel, or any other source of requests. Event filters do not apply to it. */
  watchesRaw(source: Source): this {
    this.#raw.push(source);
    return this;
  }

  /** Runs before the predicates of each watch. */
  withEventFilter(...predicates: readonly Predicate[]): this {
    this.#filters.push(...predicates);
    return this;
  }

  withOptions(options: ControllerOptions): this {
    this.#options = {...this.#options, ...options};
    return this;
  }

  /** Sets the name. Default: the kind of `for` in lower case. */
  named(name: string): this {
    this.#name = name;
    return this;
  }

  /** Creates the controller and adds it to the manager. */
  complete(reconciler: Reconciler | ReconcileFunction): Controller {
    if (this.#built) throw new Error('complete was already called: a builder creates one controller');
    if (this.#watches.length === 0 && this.#raw.length === 0)
      throw new Error('a controller needs a watch: use for, watches or watchesRaw');
    const name = this.#name ?? this.#for?.kind.toLowerCase();
    if (!name) throw new Error('a controller without for(…) needs a name: use named');
    const host = this.#host;
    const sources = this.#watches.map(({role, kind, handler, options}) =>
      kindSource({
        cache: host.cache,
        kind: options.onlyMetadata ? metadataOf(kind) : kind,
        handler: handler(host, this.#for),
        predicates: [...this.#filters, ...(options.predicates ?? [])],
        role,
        clock: host.clock,
      }),
    );
    const options = this.#complete();
    const controller = new Controller(name, reconciler, {...options, ...host.surroundings});
    if (!options.skipNameValidation) host.claimName(name);
    for (const source of [...sources, ...this.#raw]) void controller.watch(source);
    this.#built = true;
    host.add(controller);
    return controller;
  }

  #add<T extends KubeObject>(
    role: SourceRole,
    kind: Kind<T>,
    handler: RequestedWatch['handler'],
    options: WatchOptions<T>,
  ): this {
    this.#watches.push({
      role,
      kind: kind as unknown as Kind,
      handler,
      options: options as unknown as WatchOptions,
    });
    return this;
  }

  #complete(): ControllerOptions {
    const {groupKindConcurrency = {}, ...defaults} = this.#host.controllerDefaults;
    const own = Object.fromEntries(Object.entries(this.#options).filter(([, value]) => value !== undefined));
    const byKind = this.#for && groupKindConcurrency[groupKindId(this.#for)];
    return {...defaults, maxConcurrentReconciles: byKind ?? defaults.maxConcurrentReconciles, ...own};
  }
}
