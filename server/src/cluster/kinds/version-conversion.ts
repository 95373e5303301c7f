// Objects are kept in one version; reading them in another renames them, or has a CRD's webhook convert them.
// Events have two shapes: they are kept in the core one.
import type {JsonObject, StoredObject} from '../object/stored-object.ts';
import {groupVersion, type ServedResource} from './served-resource.ts';

const EVENTS = 'events.k8s.io';

// Field of the core Event, field of events.k8s.io.
const RENAMED: [string, string][] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

export function convertToVersion(resource: ServedResource, object: StoredObject): StoredObject {
  const apiVersion = groupVersion(resource);
  if (object.apiVersion === apiVersion) return object;
  const {conversion} = resource.custom ?? {};
  if (conversion) return conversion.get(object, apiVersion);
  const renamed = resource.group === EVENTS ? swapFieldNames(object, 0, 1) : object;
  return {...renamed, apiVersion};
}

/** The object as it is kept, with its metadata on its own so that the storage can write to it. */
export function convertToStorage(resource: ServedResource, object: StoredObject): StoredObject {
  const {conversion} = resource.custom ?? {};
  const storage = groupVersion({group: resource.group, version: resource.storageVersion});
  if (conversion && object.apiVersion !== storage) {
    const made = conversion.get(object, storage);
    // The way back is what was just written: the answer must not wait for a question after the write.
    conversion.remember(made, object);
    return {...made, metadata: {...made.metadata}};
  }
  const kept = resource.group === EVENTS ? swapFieldNames(object, 1, 0) : object;
  const apiVersion = resource.group === EVENTS ? 'v1' : storage;
  return {...kept, apiVersion, kind: resource.kind, metadata: {...kept.metadata}};
}

function swapFieldNames(object: StoredObject, from: 0 | 1, to: 0 | 1): StoredObject {
  const out: JsonObject = {...object};
  for (const names of RENAMED) {
    const value = out[names[from]];
    delete out[names[from]];
    if (value !== undefined) out[names[to]] = value;
  }
  return out as StoredObject;
}
