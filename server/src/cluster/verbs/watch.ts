// Watch: changes since a revision and live ones, filtered by selectors, with bookmarks.

import {withPendingCalls} from '../admission/pending-call.ts';
import type {Api} from '../api.ts';
import {emptyObject} from '../apply/field-managers.ts';
import type {FieldError} from '../kinds/kind-rules.ts';
import {groupVersion, type ServedResource} from '../kinds/served-resource.ts';
import {convertToVersion} from '../kinds/version-conversion.ts';
import {UnconvertedError} from '../kinds/webhook-conversion.ts';
import type {JsonObject, StoredObject} from '../object/stored-object.ts';
import type {LogEntry} from '../storage/change-log.ts';
import type {ResourceStore} from '../storage/resource-store.ts';
import {invalidOptions} from '../wire/requests/query-options.ts';
import {compileSelectors, type Match} from '../wire/requests/selector.ts';
import {forbiddenField, notSupported} from '../wire/responses/invalid-errors.ts';
import {expired, StatusError} from '../wire/responses/status-error.ts';
import {parseRevision, tooLarge} from './read.ts';

export interface WatchQuery {
  labelSelector: string;
  fieldSelector: string;
  resourceVersion: string;
  resourceVersionMatch: string;
  allowWatchBookmarks: boolean;
  sendInitialEvents: boolean | undefined;
  timeoutSeconds: number;
  continue: string;
}

/** Receives the events of a watch. `send` returns false if the client is too far behind. */
export interface WatchSink {
  send(type: string, object: StoredObject | JsonObject): boolean;
  end(): void;
  /** The client is behind: a list should wait for `drained`. */
  readonly full: boolean;
  drained(): Promise<void>;
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** Checks a watch before its headers are sent. Throws an HTTP error. */
export function checkWatch(resource: ServedResource, query: WatchQuery): Match | undefined {
  const how = query.resourceVersionMatch;
  const errors: FieldError[] = [];
  const forbid = (why: string) => errors.push(forbiddenField('resourceVersionMatch', why));
  if (query.sendInitialEvents !== undefined) {
    if (how !== 'NotOlderThan')
      forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
    if (how !== '' && how !== 'NotOlderThan')
      errors.push(notSupported('resourceVersionMatch', how, ['NotOlderThan']));
  } else if (how !== '')
    forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  if (query.continue !== '') forbid('resourceVersionMatch is forbidden when continue is provided');
  if (errors.length > 0) throw invalidOptions('ListOptions.meta.k8s.io', ...errors);
  if (query.resourceVersion !== '')
    parseRevision(query.resourceVersion, why => new StatusError(500, '', why));
  return compileSelectors(resource, query.labelSelector, query.fieldSelector);
}

// Like the real server, ends watches without a timeout after 30 to 60 minutes.
const SHORTEST_SECONDS = 1800;
const LONGEST_SECONDS = 2_000_000;
const BOOKMARK_MS = 60_000;

class Watcher {
  readonly #api: Api;
  readonly #resource: ServedResource;
  readonly #query: WatchQuery;
  readonly #sink: WatchSink;
  readonly #match: Match | undefined;
  readonly #shelf: ResourceStore;
  readonly #prefix: string;
  readonly #from: number | undefined;
  #cancelTimeout = () => {};
  #cancelBookmark = () => {};
  /** Changes during the initial list. */
  #waiting: LogEntry[] | undefined;
  #stopped = false;

  constructor(api: Api, resource: ServedResource, namespace: string, query: WatchQuery, sink: WatchSink) {
    this.#api = api;
    this.#resource = resource;
    this.#query = query;
    this.#sink = sink;
    this.#match = checkWatch(resource, query);
    this.#shelf = api.resourceStore(resource);
    this.#prefix = namespace === '' ? '' : `${namespace}/`;
    const {resourceVersion: from} = query;
    this.#from = from === '' || from === '0' ? undefined : Number(from);
  }

  async run(): Promise<void> {
    const {sendInitialEvents, allowWatchBookmarks, timeoutSeconds} = this.#query;
    if (this.#resource.custom) this.#api.resources.listeners.add(this.#withdrawn);
    const {clock} = this.#api;
    if (allowWatchBookmarks) this.#bookmarkRegularly();
    const seconds =
      timeoutSeconds > 0
        ? Math.min(timeoutSeconds, LONGEST_SECONDS)
        : SHORTEST_SECONDS * (1 + clock.random());
    this.#cancelTimeout = clock.after(seconds * 1000, () => this.#timeOut());
    const from = this.#from;
    if (sendInitialEvents === true && from !== undefined && from > this.#api.storage.revision) {
      const reached = await this.#api.storage.waitForRevision(from, 3000);
      if (!reached) this.#refuse(tooLarge(from, this.#api.storage.revision));
    } else if (sendInitialEvents !== true && from !== undefined && from < this.#shelf.forgotten) {
      this.#refuse(expired(`too old resource version: ${from} (${this.#shelf.forgotten})`));
    }
    if (this.#stopped) return;
    if (sendInitialEvents ?? from === undefined) await this.#initial();
    else {
      for (const entry of this.#shelf.since(from ?? this.#api.storage.revision)) this.#hear(entry);
      if (!this.#stopped) this.#shelf.listeners.add(this.#hear);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#shelf.listeners.delete(this.#hear);
    this.#api.resources.listeners.delete(this.#withdrawn);
    this.#cancelTimeout();
    this.#cancelBookmark();
  }

  #bookmarkRegularly(): void {
    this.#cancelBookmark = this.#api.clock.after(BOOKMARK_MS, () => {
      this.#bookmark(false);
      if (!this.#stopped) this.#bookmarkRegularly();
    });
  }

  /** Sends all current objects as fast as the client reads. Later changes wait. */
  async #initial(): Promise<void> {
    const revision = this.#api.storage.revision;
    const objects = [...this.#shelf.keys(this.#prefix)].map(key => this.#shelf.objects.get(key)!);
    this.#waiting = [];
    this.#shelf.listeners.add(this.#hear);
    const shown = await this.#converted(() => {
      this.#resource.custom?.conversion?.need(objects, groupVersion(this.#resource));
      return objects.map(stored => convertToVersion(this.#resource, stored));
    });
    for (const object of shown ?? []) {
      if (!this.#match || this.#match(object)) this.#send('ADDED', object);
      if (this.#sink.full) await this.#sink.drained();
      if (this.#stopped) return;
    }
    if (this.#stopped) return;
    if (this.#query.sendInitialEvents === true && this.#query.allowWatchBookmarks)
      this.#bookmark(true, revision);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    for (const entry of waiting) this.#hear(entry);
  }

  readonly #hear = (entry: LogEntry) => {
    if (this.#waiting) this.#waiting.push(entry);
    else this.#deliver(entry);
  };

  // Ends the watch when its CRD is deleted.
  readonly #withdrawn = () => {
    const {group, version, resource} = this.#resource;
    if (!this.#api.resources.find(group, version, resource)) this.#finish();
  };

  #deliver(entry: LogEntry): void {
    if (this.#prefix !== '' && !entry.key.startsWith(this.#prefix)) return;
    try {
      this.#tell(filterEntry(this.#match, this.#resource, entry));
    } catch (error) {
      if (!(error instanceof UnconvertedError)) throw error;
      this.#waiting = [];
      void this.#later(entry);
    }
  }

  /** Changes after an unconverted object wait for its conversion. */
  async #later(entry: LogEntry): Promise<void> {
    this.#tell(await this.#converted(() => filterEntry(this.#match, this.#resource, entry)));
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const one of waiting) this.#hear(one);
  }

  #tell(change: {type: string; object: StoredObject} | undefined): void {
    if (change) this.#send(change.type, change.object);
  }

  /** Undefined if the webhook refused and the watch has ended. */
  async #converted<T>(act: () => T): Promise<T | undefined> {
    try {
      return await withPendingCalls(act);
    } catch (error) {
      this.#refuse(error instanceof StatusError ? error : new StatusError(500, '', String(error)));
      return undefined;
    }
  }

  #send(type: string, object: StoredObject | JsonObject): void {
    if (!this.#stopped && !this.#sink.send(type, object)) this.#finish();
  }

  #bookmark(initial: boolean, revision = this.#api.storage.revision): void {
    // A bookmark during the initial list would promise objects that were not sent.
    if (initial || !this.#waiting) this.#send('BOOKMARK', bookmarkOf(this.#resource, initial, revision));
  }

  #timeOut(): void {
    if (this.#query.allowWatchBookmarks) this.#bookmark(false);
    this.#finish();
  }

  #refuse(error: StatusError): void {
    this.#send('ERROR', error.body());
    this.#finish();
  }

  #finish(): void {
    if (this.#stopped) return;
    this.stop();
    this.#sink.end();
  }
}

/** Runs until the sink refuses, the timeout ends, or the returned function is called. */
export function startWatch(
  api: Api,
  resource: ServedResource,
  namespace: string,
  query: WatchQuery,
  sink: WatchSink,
): () => void {
  const watcher = new Watcher(api, resource, namespace, query, sink);
  void watcher.run();
  return () => watcher.stop();
}

/** Reports an object that stops matching as DELETED, and one that starts matching as ADDED. */
function filterEntry(
  match: Match | undefined,
  resource: ServedResource,
  entry: LogEntry,
): {type: string; object: StoredObject} | undefined {
  const object = convertToVersion(resource, entry.object);
  if (!match) return {type: entry.type, object};
  const now = entry.type !== 'DELETED' && match(object);
  const before = entry.previous !== undefined && match(convertToVersion(resource, entry.previous));
  if (now) return {type: before ? 'MODIFIED' : 'ADDED', object};
  if (!before) return undefined;
  const last = convertToVersion(resource, entry.previous!);
  return {
    type: 'DELETED',
    object: {...last, metadata: {...last.metadata, resourceVersion: entry.object.metadata.resourceVersion!}},
  };
}

function bookmarkOf(resource: ServedResource, initial: boolean, revision: number): JsonObject {
  const metadata: JsonObject = {resourceVersion: String(revision)};
  if (initial) metadata.annotations = {[INITIAL_EVENTS_END]: 'true'};
  const empty = resource.custom ? {} : (emptyObject(resource) as JsonObject);
  return {kind: resource.kind, apiVersion: groupVersion(resource), ...empty, metadata};
}
