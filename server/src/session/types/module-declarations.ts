// TypeScript declarations of `krtscope/krt` for graph modules. formula/sandbox/module-api.ts implements them.

export const moduleDeclarations = `
declare module 'krtscope/krt' {
  export type Labels = {readonly [name: string]: string};
  export interface Engine {
    readonly ' engine'?: true;
  }
  export interface Collection<T> {
    readonly name: string;
    readonly ' item'?: T;
  }
  export interface Index<T> {
    readonly ' index'?: (item: T) => void;
    /** One row for each key of the index, with the items that have it. */
    asCollection(options: {name: string}): Collection<{readonly key: string; readonly objects: readonly T[]}>;
  }
  export interface HandlerContext {
    /** Ends this run without a result: the previous result stays. A formula with a status continues and returns it. */
    discardResult(): void;
  }
  export interface Filter {
    readonly ' filter'?: true;
  }
  export interface Options<T> {
    /** The collection's name in the graph: unique in a session. */
    name: string;
    key?: (item: T) => string;
    labels?: (item: T) => Labels | null | undefined;
    namespace?: (item: T) => string | null | undefined;
    selector?: (item: T) => Labels | null | undefined;
  }
  type Maybe<T> = T | null | undefined;
  /** A formula's status of its input, besides its rows. */
  export interface StatusRow<I, S> {
    readonly obj: I;
    readonly status: S;
  }
  export function newCollection<I, O>(input: Collection<I>, formula: (ctx: HandlerContext, item: I) => Maybe<O>, options: Options<O>): Collection<O>;
  export function newManyCollection<I, O>(input: Collection<I>, formula: (ctx: HandlerContext, item: I) => Maybe<Iterable<O>>, options: Options<O>): Collection<O>;
  export function newSingleton<O>(engine: Engine, formula: (ctx: HandlerContext) => Maybe<O>, options: Options<O>): Collection<O>;
  export function newManyFromNothing<O>(engine: Engine, formula: (ctx: HandlerContext) => Maybe<Iterable<O>>, options: Options<O>): Collection<O>;
  export function newStatusCollection<I, S, O>(input: Collection<I>, formula: (ctx: HandlerContext, item: I) => Maybe<readonly [Maybe<S>, Maybe<O>]>, options: Options<O>): [Collection<StatusRow<I, S>>, Collection<O>];
  export function newStatusManyCollection<I, S, O>(input: Collection<I>, formula: (ctx: HandlerContext, item: I) => Maybe<readonly [Maybe<S>, Maybe<Iterable<O>>]>, options: Options<O>): [Collection<StatusRow<I, S>>, Collection<O>];
  export function joinCollection<T>(collections: readonly Collection<T>[], options: Options<T>): Collection<T>;
  export function joinWithMergeCollection<T>(collections: readonly Collection<T>[], merge: (items: readonly T[]) => Maybe<T>, options: Options<T>): Collection<T>;
  export function mapCollection<T, U>(collection: Collection<T>, project: (item: T) => Maybe<U>, options: Options<U>): Collection<U>;
  export function newIndex<T>(collection: Collection<T>, name: string, extract: (item: T) => readonly string[]): Index<T>;
  export function fetch<T>(ctx: HandlerContext, collection: Collection<T>, ...filters: Filter[]): readonly T[];
  export function fetchOne<T>(ctx: HandlerContext, collection: Collection<T>, ...filters: Filter[]): T | undefined;
  export function filterKey(key: string): Filter;
  export function filterKeys(keys: Iterable<string>): Filter;
  export function filterObjectName(name: {name: string; namespace?: string}): Filter;
  export function filterNamespace(namespace: string): Filter;
  export function filterLabel(labels: Labels | undefined): Filter;
  export function filterSelects(labels: Labels | undefined): Filter;
  export function filterSelectsNonEmpty(labels: Labels | undefined): Filter;
  export function filterGeneric<T>(test: (item: T) => unknown): Filter;
  export function filterIndex<T>(index: Index<T>, value: string): Filter;
}

/** The argument of a graph module's \`build\`. */
interface GraphModule {
  readonly engine: import('krtscope/krt').Engine;
  /** A collection of the graph outside this module. */
  collection<N extends keyof Items>(name: N): import('krtscope/krt').Collection<Items[N]>;
  /** A source of any kind, named as for kubectl get. It is added if it does not exist. */
  source(resource: string): import('krtscope/krt').Collection<any>;
}
`;
