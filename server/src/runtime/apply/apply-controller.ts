// Applies the rows of a collection to the cluster, with a label that marks them as its own. It restores objects that
// others change and deletes objects whose row is gone. Until `enable`, it only reports what it would do.

import type {KubeObject} from '../../kube/object.ts';
import type {Client} from '../client/client.ts';
import {isConflict, isNotFound} from '../client/error-checks.ts';
import {collectionSource, type Rows} from '../controller/collection-source.ts';
import type {Controller} from '../controller/controller.ts';
import {type ControllerHost, controllerFor} from '../controller/controller-builder.ts';
import {enqueueMapped} from '../controller/event-handler.ts';
import {rawSource} from '../controller/event-source.ts';
import {predicate} from '../controller/predicate.ts';
import {type Request, requestOf} from '../controller/request.ts';
import {setControllerReference} from '../object/owner.ts';
import {type Kind, type KindRef, keyText, kindId, kindOf} from '../scheme/kind.ts';
import {type Difference, differenceOf} from './difference.ts';

/** The label and annotation that name the controller and the row of an object. */
export const appliedBy = 'krtscope.dev/applied-by';
export const appliedRow = 'krtscope.dev/row';

/** The result for one object of one row. */
export interface Applied {
  /** The row's key. For a pruned object, also its kind, namespace and name. */
  key: string;
  row: string;
  kind: string;
  namespace?: string | undefined;
  name: string;
  /** `would-…`: the controller wrote nothing. */
  state: 'applied' | 'would-create' | 'would-change' | 'unchanged' | 'would-prune' | 'conflict' | 'failed';
  /** What the last write changed, or what the next write would change. */
  difference: Difference[];
  error?: string | undefined;
}

/** Receives the results, for example a static collection of krt. */
export interface AppliedRows {
  conditionalUpdateObject(row: Applied): void;
  deleteObject(key: string): void;
}

export interface ApplyControllerOptions<T extends KubeObject = KubeObject> {
  /** The name of the controller, of its field manager and of its label. It must be unique. */
  name: string;
  desired: Rows<T>;
  /** Every kind that rows may have. The controller watches them for foreign changes and for objects to prune. */
  kinds: readonly Kind[];
  status?: AppliedRows | undefined;
  /** True: take fields that others own. False: report a conflict and retry. */
  force?: boolean | undefined;
  /** False: objects without a row stay. */
  prune?: boolean | undefined;
  /**
   * Returns the controller owner of a row's object; the server deletes the object with it. An object with another
   * controller is not changed and reported as failed. Absent: only the label marks the object.
   */
  owner?: ((row: T) => KubeObject | undefined) | undefined;
  /** Returns why a row must not be applied, or undefined. */
  refuse?: ((row: T) => string | undefined) | undefined;
  /** True: writes from the start. False: reports what it would do, until `enable`. */
  enabled?: boolean | undefined;
}

export interface ApplyHost extends ControllerHost {
  readonly client: Client;
}

export interface ApplyController {
  readonly controller: Controller;
  readonly enabled: boolean;
  /** Starts to write. */
  enable(): void;
  /** Stops writing and only reports. Written objects stay. */
  disable(): void;
}

/** Adds the controller to a manager that has not started. */
export async function applyController<T extends KubeObject>(
  manager: ApplyHost,
  options: ApplyControllerOptions<T>,
): Promise<ApplyController> {
  const {name, desired, kinds} = options;
  const own = predicate<KubeObject>(object => object.metadata.labels?.[appliedBy] === name, 'its own');
  const applier = new RowApplier(manager, options);
  let again = () => {};
  const builder = controllerFor(manager).named(name).watchesRaw(collectionSource(desired));
  for (const kind of kinds) {
    await manager.cache.indexField(kind, rowField(name), object =>
      object.metadata.labels?.[appliedBy] === name ? object.metadata.annotations?.[appliedRow] : undefined,
    );
    builder.watches(kind, enqueueMapped(rowOf), {predicates: [own]});
  }
  builder.watchesRaw(
    rawSource('enable', enqueue => {
      again = () => {
        for (const key of applier.keys()) enqueue(requestOf(key));
      };
    }),
  );
  const controller = builder.complete((request: Request) => applier.reconcile(keyText(request)));
  const turn = (enabled: boolean) => {
    if (applier.enabled === enabled) return;
    applier.enabled = enabled;
    again();
  };
  return {
    controller,
    get enabled() {
      return applier.enabled;
    },
    enable: () => turn(true),
    disable: () => turn(false),
  };
}

const rowField = (name: string) => `${appliedRow} of ${name}`;

function rowOf(object: KubeObject) {
  const key = object.metadata.annotations?.[appliedRow];
  return key === undefined ? [] : [requestOf(key)];
}

class RowApplier<T extends KubeObject> {
  enabled: boolean;
  readonly #host: ApplyHost;
  readonly #options: ApplyControllerOptions<T>;
  /** The last applied row, and the resulting version of the object. */
  readonly #last = new Map<string, {row: T; version: string | undefined; difference: Difference[]}>();
  readonly #reported = new Map<string, Set<string>>();

  constructor(host: ApplyHost, options: ApplyControllerOptions<T>) {
    this.#host = host;
    this.#options = options;
    this.enabled = options.enabled ?? false;
  }

  /** Keys of rows that exist or have a reported result. */
  keys(): Set<string> {
    return new Set([...this.#reported.keys(), ...this.#last.keys()]);
  }

  async reconcile(key: string): Promise<void> {
    const row = this.#options.desired.getKey(key);
    const there = await this.#there(key);
    const reported = new Set<string>();
    const report = (applied: Applied) => {
      reported.add(applied.key);
      this.#options.status?.conditionalUpdateObject(applied);
    };
    const refused = row && this.#options.refuse?.(row);
    if (refused !== undefined)
      report({key, row: key, kind: '', name: key, state: 'failed', difference: [], error: refused});
    try {
      if (refused !== undefined) return;
      const id = row && idOf(row);
      const live = there.find(object => idOf(object) === id);
      if (row) await this.#apply(key, row, live, report);
      else this.#last.delete(key);
      if (this.#options.prune !== false)
        for (const object of there) if (object !== live) await this.#prune(key, object, report);
    } finally {
      for (const old of this.#reported.get(key) ?? [])
        if (!reported.has(old)) this.#options.status?.deleteObject(old);
      if (reported.size > 0) this.#reported.set(key, reported);
      else this.#reported.delete(key);
    }
  }

  async #there(key: string): Promise<KubeObject[]> {
    const lists = await Promise.all(
      this.#options.kinds.map(kind =>
        this.#host.client.list(kind, {fields: {[rowField(this.#options.name)]: key}}),
      ),
    );
    return lists.flatMap(({items}) => items).filter(one => !one.metadata.deletionTimestamp);
  }

  async #apply(
    key: string,
    row: T,
    live: KubeObject | undefined,
    report: (applied: Applied) => void,
  ): Promise<void> {
    const last = this.#last.get(key);
    const about = {key, row: key, ...objectRefOf(row)};
    if (!this.#options.kinds.some(kind => kindId(kind) === kindId(kindOf(row)))) {
      report({
        ...about,
        state: 'failed',
        difference: [],
        error: `${row.kind} is none of the kinds of ${this.#options.name}`,
      });
      return;
    }
    // Neither side has changed, so another apply would be a useless request.
    if (this.enabled && live && last?.row === row && last.version === live.metadata.resourceVersion) {
      report({...about, state: 'applied', difference: last.difference});
      return;
    }
    try {
      const before = live ?? (await this.#present(row));
      const dryRun = !this.enabled;
      const after = await this.#host.client.apply(this.#owned(this.#marked(key, row), row, before), {
        fieldOwner: this.#options.name,
        force: this.#options.force,
        dryRun,
      });
      const difference = differenceOf(before, after);
      if (!dryRun) this.#last.set(key, {row, version: after.metadata.resourceVersion, difference});
      const would =
        before === undefined ? 'would-create' : difference.length > 0 ? 'would-change' : 'unchanged';
      report({...about, state: dryRun ? would : 'applied', difference});
    } catch (error) {
      const state = isConflict(error) ? 'conflict' : 'failed';
      report({...about, state, difference: [], error: (error as Error).message});
      throw error;
    }
  }

  /** Returns an existing object without our label. The apply takes it over. */
  async #present(row: T): Promise<KubeObject | undefined> {
    const {namespace, name = ''} = row.metadata;
    try {
      return await this.#host.client.get(kindOf(row as KubeObject), {namespace, name});
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #prune(key: string, object: KubeObject, report: (applied: Applied) => void): Promise<void> {
    const about = {key: `${idOf(object)} (pruned)`, row: key, ...objectRefOf(object)};
    if (!this.enabled) {
      report({...about, state: 'would-prune', difference: differenceOf(object, undefined)});
      return;
    }
    try {
      const preconditions = {uid: object.metadata.uid ?? ''};
      await this.#host.client.delete(object, {preconditions});
    } catch (error) {
      // The object is gone, or another object of that name replaced it.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #owned(marked: KubeObject, row: T, before: KubeObject | undefined): KubeObject {
    const owner = this.#options.owner?.(row);
    if (!owner) return marked;
    if (!owner.metadata.uid)
      throw new Error(
        `${owner.kind} ${owner.metadata.name} has no uid; read the owner from the server first`,
      );
    // Check against the live object, because the server's own error names neither controller.
    setControllerReference(owner, {
      ...marked,
      metadata: {...marked.metadata, ownerReferences: [...(before?.metadata.ownerReferences ?? [])]},
    });
    setControllerReference(owner, marked);
    return marked;
  }

  #marked(key: string, row: T): KubeObject {
    const {labels, annotations} = row.metadata;
    return {
      ...row,
      metadata: {
        ...row.metadata,
        labels: {...labels, [appliedBy]: this.#options.name},
        annotations: {...annotations, [appliedRow]: key},
      },
    };
  }
}

function idOf(object: KubeObject & Partial<KindRef>): string {
  const {namespace, name = ''} = object.metadata;
  return `${object.kind} ${keyText({namespace, name})}`;
}

function objectRefOf(object: KubeObject): Pick<Applied, 'kind' | 'namespace' | 'name'> {
  const {namespace, name = ''} = object.metadata;
  return {kind: object.kind ?? '', namespace, name};
}
