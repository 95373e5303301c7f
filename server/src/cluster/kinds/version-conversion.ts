// Converts objects between the stored version and the requested one, by renaming or by a CRD's webhook.
// Events have two shapes; the storage keeps the core one.
import type {JsonObject, StoredObject} from '../object/stored-object.ts';
import {groupVersion, type ServedResource} from './served-resource.ts';

const EVENTS = 'events.k8s.io';

// The field of the core Event, and its name in events.k8s.io.
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

/** The object in its storage version. Its metadata is a copy, which the storage may write to. */
export function convertToStorage(resource: ServedResource, object: StoredObject): StoredObject {
  const {conversion} = resource.custom ?? {};
  const storage = groupVersion({group: resource.group, version: resource.storageVersion});
  if (conversion && object.apiVersion !== storage) {
    const made = conversion.get(object, storage);
    // Remembers the way back, so that the response does not wait for the webhook after the write.
    conversion.remember(made, object);
    return {...made, metadata: {...made.metadata}};
  }
  const stored = resource.group === EVENTS ? swapFieldNames(object, 1, 0) : object;
  const apiVersion = resource.group === EVENTS ? 'v1' : storage;
  return {...stored, apiVersion, kind: resource.kind, metadata: {...stored.metadata}};
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
