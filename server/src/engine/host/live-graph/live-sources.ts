// The sources of the running graph: the collections that main writes objects to, and what main reported about each.
import {deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import {shareStructure} from '@krtscope/shared/json/share-structure.ts';
import {
  type Engine,
  newStaticCollection,
  newSyncLatch,
  type StaticCollection,
  type SyncLatch,
} from '../../../krt/index.ts';
import type {SourceFresh, SourceReport, SourceSpec} from '../../link/engine-link.ts';
import type {SourceFacts} from './collection-facts.ts';
import {isSameVersion} from './same-version.ts';

interface LiveSource {
  readonly collection: StaticCollection<unknown>;
  readonly latch: SyncLatch;
  readonly spec: SourceSpec;
  report: SourceReport | undefined;
  fresh: SourceFresh | undefined;
  /** The newest object. In a list, neighbours are often alike: Pods of one ReplicaSet. */
  newest: unknown;
}

export class LiveSources {
  readonly #engine: Engine;
  readonly #sources = new Map<string, LiveSource>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  has(name: string): boolean {
    return this.#sources.has(name);
  }

  add(spec: SourceSpec): void {
    const latch = newSyncLatch(this.#engine);
    const collection = newStaticCollection<unknown>(this.#engine, [], {name: spec.collection, synced: latch});
    this.#sources.set(spec.collection, {
      ...{collection, latch, spec},
      report: undefined,
      fresh: undefined,
      newest: undefined,
    });
  }

  /** Empties and stops a source, then forgets it. */
  drop(name: string): void {
    const {collection} = this.#source(name);
    collection.reset([]);
    collection.stop();
    this.#sources.delete(name);
  }

  collection(name: string): StaticCollection<unknown> {
    return this.#source(name).collection;
  }

  /** Writes an object, unless the source has the same version of it. */
  put(name: string, key: string, object: unknown): void {
    const source = this.#source(name);
    const {collection} = source;
    const old = collection.getKey(key);
    if (old !== undefined && isSameVersion(old, object)) return;
    if (shareStructure(old ?? source.newest, object) === old && old !== undefined) return;
    source.newest = object;
    collection.updateObject(deepFreeze(object));
  }

  setReport(name: string, report: SourceReport): void {
    const source = this.#source(name);
    source.report = report;
    if (report.synced || report.state === 'not installed') source.latch.markSynced();
  }

  /** Sets the time up to which a source is known to be right. Ignores a source that was dropped. */
  setFresh(fresh: SourceFresh): void {
    const source = this.#sources.get(fresh.collection);
    if (source !== undefined) source.fresh = fresh;
  }

  facts(name: string): SourceFacts | undefined {
    const source = this.#sources.get(name);
    if (source === undefined) return undefined;
    const {report, spec, fresh} = source;
    const resource = report?.resource ?? spec.resource;
    return {
      state: report?.state ?? 'waiting',
      ...(report?.reason === undefined ? {} : {reason: report.reason}),
      ...(report?.hint === undefined ? {} : {hint: report.hint}),
      ...(report?.listed === undefined ? {} : {listed: report.listed}),
      ...(report?.total === undefined ? {} : {total: report.total}),
      ...(fresh === undefined ? {} : {asOf: fresh.asOf, current: fresh.current}),
      ...(resource === undefined ? {} : {resource}),
      ...(report?.columns === undefined ? {} : {columns: report.columns}),
    };
  }

  /** The recorded state of a source. It leaves out the progress of a list, which changes every second. */
  recordedState(name: string): SourceFacts | undefined {
    const facts = this.facts(name);
    if (facts === undefined) return undefined;
    const {listed: _listed, total: _total, asOf, ...state} = facts;
    return {...state, ...(state.current === false && asOf !== undefined ? {asOf} : {})};
  }

  recordedStates(): (readonly [string, SourceFacts | undefined])[] {
    return [...this.#sources.keys()].map(name => [name, this.recordedState(name)] as const);
  }

  #source(name: string): LiveSource {
    const source = this.#sources.get(name);
    if (source === undefined)
      throw new Error(`there is no source "${name}"; name it when the engine is started`);
    return source;
  }
}
