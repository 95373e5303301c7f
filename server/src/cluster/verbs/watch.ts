// Watch: what happened since a revision and what happens from now on, through selectors, with bookmarks.
import type {Api} from '../api.ts';
import {inVersion} from '../kinds/convert.ts';
import {groupVersion, type Resource} from '../kinds/resource.ts';
import type {FieldError} from '../kinds/rules.ts';
import type {LogEntry} from '../ledger/shelf.ts';
import type {JsonObject, KubeObject} from '../object/types.ts';
import {forbiddenField, notSupported} from '../wire/invalid.ts';
import {invalidOptions} from '../wire/options.ts';
import {type Match, selection} from '../wire/selector.ts';
import {expired, StatusError} from '../wire/status.ts';
import {parseRevision, tooLarge} from './read.ts';

export interface WatchQuery {
  labelSelector: string;
  fieldSelector: string;
  resourceVersion: string;
  resourceVersionMatch: string;
  allowWatchBookmarks: boolean;
  sendInitialEvents: boolean | undefined;
  timeoutSeconds: number;
}

/** Where a watch's lines go. `send` answers false when the client has fallen behind for good. */
export interface Sink {
  send(type: string, object: KubeObject | JsonObject): boolean;
  end(): void;
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** Checks a watch before its headers go out; throws what becomes an HTTP error. */
export function checkWatch(resource: Resource, query: WatchQuery): Match | undefined {
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
  if (errors.length > 0) throw invalidOptions('ListOptions.meta.k8s.io', ...errors);
  if (query.resourceVersion !== '')
    parseRevision(query.resourceVersion, why => new StatusError(500, '', why));
  return selection(resource, query.labelSelector, query.fieldSelector);
}

/** Runs until the sink refuses, the timeout passes or the returned function is called. */
export function startWatch(
  api: Api,
  resource: Resource,
  namespace: string,
  query: WatchQuery,
  sink: Sink,
): () => void {
  const match = checkWatch(resource, query);
  const shelf = api.shelf(resource);
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const from =
    query.resourceVersion === '' || query.resourceVersion === '0' ? undefined : Number(query.resourceVersion);
  let timers: NodeJS.Timeout[] = [];
  let stopped = false;
  const stop = () => {
    stopped = true;
    shelf.listeners.delete(listener);
    api.resources.listeners.delete(withdrawn);
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  };
  const finish = () => {
    stop();
    sink.end();
  };
  const send = (type: string, object: KubeObject | JsonObject) => {
    if (!stopped && !sink.send(type, object)) finish();
  };
  const deliver = (entry: LogEntry) => {
    if (prefix !== '' && !entry.key.startsWith(prefix)) return;
    const change = through(match, resource, entry);
    if (change) send(change.type, change.object);
  };
  const listener = (entry: LogEntry) => deliver(entry);
  // A watch of a kind whose CRD is gone would wait for ever.
  const withdrawn = () => {
    if (!api.resources.find(resource.group, resource.version, resource.resource)) finish();
  };
  if (resource.custom) api.resources.listeners.add(withdrawn);
  const bookmark = (initial: boolean) => send('BOOKMARK', bookmarkOf(api, resource, initial));
  const refuse = (error: StatusError) => {
    send('ERROR', error.body());
    finish();
  };

  const begin = () => {
    if (from !== undefined && from < shelf.forgotten && query.sendInitialEvents !== true) {
      refuse(expired(`too old resource version: ${from} (${shelf.forgotten})`));
      return;
    }
    const initial = query.sendInitialEvents ?? from === undefined;
    if (initial) {
      for (const key of shelf.keys(prefix)) {
        const object = inVersion(resource, shelf.objects.get(key)!);
        if (!match || match(object)) send('ADDED', object);
        if (stopped) return;
      }
      if (query.sendInitialEvents === true && query.allowWatchBookmarks) bookmark(true);
    } else if (from !== undefined) {
      for (const entry of shelf.since(from)) deliver(entry);
    }
    if (!stopped) shelf.listeners.add(listener);
  };

  if (query.allowWatchBookmarks) timers.push(setInterval(() => bookmark(false), 60_000).unref());
  if (query.timeoutSeconds > 0) {
    const end = () => {
      if (query.allowWatchBookmarks) bookmark(false);
      finish();
    };
    timers.push(setTimeout(end, query.timeoutSeconds * 1000).unref());
  }
  if (query.sendInitialEvents === true && from !== undefined && from > api.ledger.revision) {
    void api.ledger.reached(from, 3000).then(yes => {
      if (stopped) return;
      if (yes) begin();
      else refuse(tooLarge(from, api.ledger.revision));
    });
  } else begin();
  return stop;
}

/** An object that leaves the selection is told as DELETED, one that enters as ADDED. */
function through(
  match: Match | undefined,
  resource: Resource,
  entry: LogEntry,
): {type: string; object: KubeObject} | undefined {
  const object = inVersion(resource, entry.object);
  if (!match) return {type: entry.type, object};
  const now = entry.type !== 'DELETED' && match(object);
  const before = entry.previous !== undefined && match(inVersion(resource, entry.previous));
  if (now) return {type: before ? 'MODIFIED' : 'ADDED', object};
  if (!before) return undefined;
  const last = inVersion(resource, entry.previous!);
  return {
    type: 'DELETED',
    object: {...last, metadata: {...last.metadata, resourceVersion: entry.object.metadata.resourceVersion!}},
  };
}

function bookmarkOf(api: Api, resource: Resource, initial: boolean): JsonObject {
  const metadata: JsonObject = {resourceVersion: String(api.ledger.revision), creationTimestamp: null};
  if (initial) metadata.annotations = {[INITIAL_EVENTS_END]: 'true'};
  return {kind: resource.kind, apiVersion: groupVersion(resource), metadata};
}
