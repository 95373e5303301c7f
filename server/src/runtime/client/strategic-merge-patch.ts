// Strategic merge patches change single elements of keyed lists in built-in kinds. The server refuses them (415)
// for custom resources.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {isRecord, type KubeObject} from '../../kube/object.ts';
import {type MergeFromOptions, type Patch, withOptimisticLock} from './patch.ts';

type StrategicPatchBody = Record<string, unknown>;

/** The key fields of lists that built-in kinds merge. */
const mergeKeys: Readonly<Record<string, string>> = {
  conditions: 'type',
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  hostAliases: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  ownerReferences: 'uid',
  resourceClaims: 'name',
  secrets: 'name',
  topologySpreadConstraints: 'topologyKey',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
};

/** Lists of plain values that merge as sets. */
const sets = new Set(['finalizers']);
/** Objects with alternatives: the patch removes fields that it does not name. */
const unions = new Set(['strategy', 'updateStrategy', 'volumes']);

/** A strategic merge patch of the changes since `base`. Built-in kinds only. */
export function strategicMergeFrom<T extends KubeObject>(base: T, options: MergeFromOptions = {}): Patch<T> {
  const from = deepCopy(base);
  const service = base.kind === 'Service';
  return {
    type: 'strategic',
    body: object => withOptimisticLock(difference(from, object, service), from, options),
  };
}

function difference(from: StrategicPatchBody, to: StrategicPatchBody, service: boolean): StrategicPatchBody {
  const patch: StrategicPatchBody = {};
  for (const key of Object.keys(from))
    if (from[key] !== undefined && (!Object.hasOwn(to, key) || to[key] === undefined)) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    const old = Object.hasOwn(from, key) ? from[key] : undefined;
    if (value === undefined || deepEqual(old, value)) continue;
    if (isRecord(old) && isRecord(value)) {
      const inner = difference(old, value, service);
      patch[key] = unions.has(key) ? {$retainKeys: Object.keys(value).sort(), ...inner} : inner;
    } else if (Array.isArray(old) && Array.isArray(value))
      Object.assign(patch, list(key, old, value, service));
    else patch[key] = value;
  }
  return patch;
}

function list(field: string, old: unknown[], now: unknown[], service: boolean): StrategicPatchBody {
  if (sets.has(field)) return setDifference(field, old, now);
  const by = keyOf(field, [...old, ...now], service);
  if (!by) return {[field]: now};
  const before = byKey(old, by);
  const after = byKey(now, by);
  // A patch cannot distinguish elements with equal keys, so it replaces the list.
  if (!before || !after) return {[field]: [...now, {$patch: 'replace'}]};
  const changed: StrategicPatchBody[] = [];
  for (const [key, one] of after) {
    const was = before.get(key);
    if (!was) changed.push(one);
    else if (!deepEqual(was, one))
      changed.push({...difference(was, one, service), [by]: one[by], ...retained(field, one)});
  }
  for (const [key, one] of before) if (!after.has(key)) changed.push({$patch: 'delete', [by]: one[by]});
  return {
    [`$setElementOrder/${field}`]: [...after.values()].map(one => ({[by]: one[by]})),
    ...(changed.length ? {[field]: changed} : {}),
  };
}

function retained(field: string, element: StrategicPatchBody): StrategicPatchBody {
  return unions.has(field) ? {$retainKeys: Object.keys(element).sort()} : {};
}

function setDifference(field: string, old: unknown[], now: unknown[]): StrategicPatchBody {
  const gone = old.filter(one => !now.includes(one));
  const come = now.filter(one => !old.includes(one));
  return {
    [`$setElementOrder/${field}`]: now,
    ...(gone.length ? {[`$deleteFromPrimitiveList/${field}`]: gone} : {}),
    ...(come.length ? {[field]: come} : {}),
  };
}

function keyOf(field: string, elements: unknown[], service: boolean): string | undefined {
  if (!elements.every(isRecord)) return undefined;
  if (field !== 'ports') return mergeKeys[field];
  if (elements.every(one => Object.hasOwn(one, 'containerPort'))) return 'containerPort';
  return service ? 'port' : undefined;
}

function byKey(list: unknown[], by: string): Map<unknown, StrategicPatchBody> | undefined {
  const found = new Map<unknown, StrategicPatchBody>();
  for (const one of list as StrategicPatchBody[]) {
    if (one[by] === undefined || found.has(one[by])) return undefined;
    found.set(one[by], one);
  }
  return found;
}
