// Keeps the objects of a collection in the cluster: applied on the server, marked as its own, put right when somebody
// changes them, and deleted when the collection has them no more. Until it is told to, it only says what it would do.

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

/** Whose an object is, and of which row. */
export const appliedBy = 'krtscope.dev/applied-by';
export const appliedRow = 'krtscope.dev/row';

/** What became of one object of one row. */
export interface Applied {
  /** The row's key; of an object that is pruned, with its kind and place. */
  key: string;
  row: string;
  kind: string;
  namespace?: string | undefined;
  name: string;
  /** `would-…`: nothing was written. */
  state: 'applied' | 'would-create' | 'would-change' | 'unchanged' | 'would-prune' | 'conflict' | 'failed';
  /** What the last write changed, or the next one would. */
  difference: Difference[];
  error?: string | undefined;
}

/** Where it reports to: a static collection of krt fits. */
export interface AppliedRows {
  conditionalUpdateObject(row: Applied): void;
  deleteObject(key: string): void;
}

export interface ApplyControllerOptions<T extends KubeObject = KubeObject> {
  /** Names the controller, the fields it owns, and the objects that are its own: two must not share one. */
  name: string;
  desired: Rows<T>;
  /** Every kind that rows may have: they are watched, for what others change and for what is left to prune. */
  kinds: readonly Kind[];
  status?: AppliedRows | undefined;
  /** Take fields that others own. False: that is a conflict, which is told and tried again. */
  force?: boolean | undefined;
  /** False: objects that are no longer desired stay. */
  prune?: boolean | undefined;
  /**
   * Whom a row's object belongs to: it becomes its controller, and the server deletes the object with it. An object that
   * another controls is left alone, and told as failed. Absent: it is ours by its label alone.
   */
  owner?: ((row: T) => KubeObject | undefined) | undefined;
  /** Why a row must not be applied; undefined: it may be. */
  refuse?: ((row: T) => string | undefined) | undefined;
  /** True: writes from the start. False: says what it would do, until `enable`. */
  enabled?: boolean | undefined;
}

export interface ApplyHost extends ControllerHost {
  readonly client: Client;
}

export interface ApplyController {
  readonly controller: Controller;
  readonly enabled: boolean;
  /** From now on it writes, beginning with what it said it would do. */
  enable(): void;
  /** From now on it only says what it would do; what it has written stays. */
  disable(): void;
}

/** Adds it to a manager that has not started. */
export async function applyController<T extends KubeObject>(
  manager: ApplyHost,
  options: ApplyControllerOptions<T>,
): Promise<ApplyController> {
  const {name, desired, kinds} = options;
  const own = predicate<KubeObject>(object => object.metadata.labels?.[appliedBy] === name, 'its own');
  const keeper = new RowApplier(manager, options);
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
        for (const key of keeper.keys()) enqueue(requestOf(key));
      };
    }),
  );
  const controller = builder.complete((request: Request) => keeper.reconcile(keyText(request)));
  const turn = (enabled: boolean) => {
    if (keeper.enabled === enabled) return;
    keeper.enabled = enabled;
    again();
  };
  return {
    controller,
    get enabled() {
      return keeper.enabled;
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
  /** What was last applied for a row, and which version of the object that gave. */
  readonly #last = new Map<string, {row: T; version: string | undefined; difference: Difference[]}>();
  readonly #told = new Map<string, Set<string>>();

  constructor(host: ApplyHost, options: ApplyControllerOptions<T>) {
    this.#host = host;
    this.#options = options;
    this.enabled = options.enabled ?? false;
  }

  /** Rows that there are, or of which something was told. */
  keys(): Set<string> {
    return new Set([...this.#told.keys(), ...this.#last.keys()]);
  }

  async reconcile(key: string): Promise<void> {
    const row = this.#options.desired.getKey(key);
    const there = await this.#there(key);
    const told = new Set<string>();
    const say = (applied: Applied) => {
      told.add(applied.key);
      this.#options.status?.conditionalUpdateObject(applied);
    };
    const refused = row && this.#options.refuse?.(row);
    if (refused !== undefined)
      say({key, row: key, kind: '', name: key, state: 'failed', difference: [], error: refused});
    try {
      if (refused !== undefined) return;
      const id = row && idOf(row);
      const live = there.find(object => idOf(object) === id);
      if (row) await this.#apply(key, row, live, say);
      else this.#last.delete(key);
      if (this.#options.prune !== false)
        for (const object of there) if (object !== live) await this.#prune(key, object, say);
    } finally {
      for (const old of this.#told.get(key) ?? [])
        if (!told.has(old)) this.#options.status?.deleteObject(old);
      if (told.size > 0) this.#told.set(key, told);
      else this.#told.delete(key);
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
    say: (applied: Applied) => void,
  ): Promise<void> {
    const last = this.#last.get(key);
    const about = {key, row: key, ...objectRefOf(row)};
    if (!this.#options.kinds.some(kind => kindId(kind) === kindId(kindOf(row)))) {
      say({
        ...about,
        state: 'failed',
        difference: [],
        error: `${row.kind} is none of the kinds of ${this.#options.name}`,
      });
      return;
    }
    // Nothing has changed on either side since: another apply would be one request for nothing.
    if (this.enabled && live && last?.row === row && last.version === live.metadata.resourceVersion) {
      say({...about, state: 'applied', difference: last.difference});
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
      say({...about, state: dryRun ? would : 'applied', difference});
    } catch (error) {
      const state = isConflict(error) ? 'conflict' : 'failed';
      say({...about, state, difference: [], error: (error as Error).message});
      throw error;
    }
  }

  /** An object that is there but not marked: it will be taken over. */
  async #present(row: T): Promise<KubeObject | undefined> {
    const {namespace, name = ''} = row.metadata;
    try {
      return await this.#host.client.get(kindOf(row as KubeObject), {namespace, name});
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #prune(key: string, object: KubeObject, say: (applied: Applied) => void): Promise<void> {
    const about = {key: `${idOf(object)} (pruned)`, row: key, ...objectRefOf(object)};
    if (!this.enabled) {
      say({...about, state: 'would-prune', difference: differenceOf(object, undefined)});
      return;
    }
    try {
      const preconditions = {uid: object.metadata.uid ?? ''};
      await this.#host.client.delete(object, {preconditions});
    } catch (error) {
      // Gone, or another of that name has come, which is not ours.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #owned(marked: KubeObject, row: T, before: KubeObject | undefined): KubeObject {
    const owner = this.#options.owner?.(row);
    if (!owner) return marked;
    if (!owner.metadata.uid)
      throw new Error(
        `${owner.kind} ${owner.metadata.name} has no uid: an owner is an object as the server has it`,
      );
    // As it is there: the server would refuse a second controller in words that name neither.
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
