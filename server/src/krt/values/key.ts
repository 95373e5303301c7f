// Where the key, labels, selector and namespace of an item come from: option, own method, Kubernetes shape.

import {EngineError} from './error.ts';
import {errorText} from './error-text.ts';
import type {Labels} from './labels.ts';
import {refusePromise} from './thenable.ts';

interface ItemShape {
  resourceName?: unknown;
  getLabels?: unknown;
  getLabelSelector?: unknown;
  getNamespace?: unknown;
  registerBatch?: unknown;
  uid?: unknown;
  key?: unknown;
  metadata?: {name?: unknown; namespace?: unknown; labels?: unknown} | null;
  spec?: {selector?: unknown} | null;
}

export const NO_LABELS: Labels = Object.freeze({});

/** The own key of an item, or undefined. Throws if the key is not a text. */
export function ownKey(item: unknown, collection: string): string | undefined {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null) return undefined;
  const shape = item as ItemShape;
  if (typeof shape.resourceName === 'function') {
    return requireTextKey(shape.resourceName(), item, collection, 'resourceName()');
  }
  if (typeof shape.registerBatch === 'function') {
    const {uid} = shape;
    return requireTextKey(typeof uid === 'number' ? String(uid) : uid, item, collection, 'the uid');
  }
  const metadata = shape.metadata;
  if (typeof metadata === 'object' && metadata !== null) {
    // Read each once, because a getter may change its answer.
    const {name, namespace} = metadata;
    if (typeof name === 'string') {
      if (namespace === undefined || namespace === null || namespace === '') return name;
      return `${requireTextKey(namespace, item, collection, 'the namespace')}/${name}`;
    }
  }
  const {key} = shape;
  return typeof key === 'string' ? key : undefined;
}

/** Like ownKey, but throws if the item has no key. */
export function requireKey(item: unknown, collection: string): string {
  const key = ownKey(item, collection);
  if (key !== undefined) return key;
  throw new EngineError(
    'key-missing',
    `collection "${collection}": ${typeName(item)} ${excerpt(item)} has no key; give the collection a key option, or the item a key field or a resourceName() method`,
  );
}

/** Refuses null and undefined, which would look like missing rows. */
export function noItemError(item: unknown, collection: string): EngineError {
  return new EngineError(
    'no-item',
    `collection "${collection}": ${item} is no item; to take one away, delete it`,
  );
}

/** Refuses keys that are not texts: the engine would keep `1` and `'1'` apart, and users would not. */
export function requireTextKey(
  key: unknown,
  item: unknown,
  collection: string,
  giver = 'the key option',
): string {
  if (typeof key === 'string') return key;
  refusePromise(key, `collection "${collection}": ${giver}`);
  throw new EngineError(
    'key-type',
    `collection "${collection}": the key of ${typeName(item)} ${excerpt(item)} is ${typeNameOfValue(key)}, and keys are texts; let ${giver} be a string`,
  );
}

function typeNameOfValue(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

export function typeName(item: unknown): string {
  if (typeof item !== 'object' || item === null) return typeNameOfValue(item);
  try {
    const kind = (item as {kind?: unknown}).kind;
    if (typeof kind === 'string') return kind;
    return String(item.constructor?.name ?? 'Object');
  } catch {
    return 'Object';
  }
}

function excerpt(item: unknown): string {
  try {
    return (JSON.stringify(item) ?? String(item)).slice(0, 120);
  } catch {
    return errorText(item);
  }
}

export function ownLabels(item: unknown): Labels {
  if (typeof item !== 'object' || item === null) return NO_LABELS;
  const shape = item as ItemShape;
  if (typeof shape.getLabels === 'function')
    return (shape.getLabels() as Labels | null | undefined) ?? NO_LABELS;
  return (shape.metadata?.labels as Labels | null | undefined) ?? NO_LABELS;
}

export function ownSelector(item: unknown): Labels {
  if (typeof item !== 'object' || item === null) return NO_LABELS;
  const shape = item as ItemShape;
  const selector =
    typeof shape.getLabelSelector === 'function' ? shape.getLabelSelector() : shape.spec?.selector;
  return asSelector(selector);
}

/**
 * Copies the labels and reads each once, because a getter may change its answer or throw. Undefined labels
 * are left out.
 */
export function asLabels(labels: Labels): Labels {
  refusePromise(labels, 'the function for labels');
  // A list or a text would make a label of every entry.
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    throw new EngineError(
      'label-type',
      `labels must be a map of texts, found ${excerpt(labels)}; give one such as {app: 'web'}, or none`,
    );
  }
  const own: Record<string, string> = {};
  const names = Object.keys(labels);
  // A Map has no own fields. It would pass for empty labels, which match everything.
  if (names.length === 0 && Symbol.iterator in labels) {
    throw new EngineError('label-type', `labels must be an object of texts, found a ${typeName(labels)}`);
  }
  for (const name of names) {
    const value = labels[name];
    if (value === undefined) continue;
    if (name === '__proto__') Object.defineProperty(own, name, {value, enumerable: true});
    else own[name] = value;
  }
  return own;
}

/** Takes a map of labels, or an object with matchLabels. Null and undefined give `{}`. */
export function asSelector(selector: unknown): Labels {
  if (selector === null || selector === undefined) return NO_LABELS;
  refusePromise(selector, 'the function for selector');
  if (typeof selector !== 'object' || Array.isArray(selector)) throw wrongSelectorError(selector);
  const {matchLabels, matchExpressions} = selector as {matchLabels?: unknown; matchExpressions?: unknown};
  if (typeof matchLabels === 'object' && matchLabels !== null) return asSelector(matchLabels);
  if (Array.isArray(matchExpressions)) return NO_LABELS;
  const own = asLabels(selector as Labels);
  for (const name in own) if (typeof own[name] !== 'string') throw wrongSelectorError(selector);
  return own;
}

function wrongSelectorError(selector: unknown): EngineError {
  return new EngineError(
    'selector-type',
    `a selector must be a map of labels or have matchLabels, found ${excerpt(selector)}; give the collection a selector option`,
  );
}

export function ownNamespace(item: unknown): string {
  if (typeof item !== 'object' || item === null) return '';
  const shape = item as ItemShape;
  if (typeof shape.getNamespace === 'function') return asNamespace(shape.getNamespace());
  const namespace = shape.metadata?.namespace;
  return typeof namespace === 'string' ? namespace : '';
}

/** Null and undefined give ''. Other values would be compared by their text, such as "[object Object]". */
export function asNamespace(namespace: unknown): string {
  if (typeof namespace === 'string') return namespace;
  if (namespace === undefined || namespace === null) return '';
  refusePromise(namespace, 'the function for namespace');
  throw new EngineError(
    'namespace-type',
    `a namespace must be a text, found ${typeNameOfValue(namespace)} ${excerpt(namespace)}; give its name, or none`,
  );
}

/** A name with a namespace. The key always has the slash, so `{name}` alone has the key "/name". */
export class Named {
  readonly name: string;
  readonly namespace: string;

  constructor(name: string, namespace = '') {
    for (const part of [name, namespace]) {
      if (typeof part === 'string') continue;
      throw new EngineError(
        'key-type',
        `Named takes texts and got ${typeNameOfValue(part)}; its key is made of them`,
      );
    }
    this.name = name;
    this.namespace = namespace;
  }

  resourceName(): string {
    return `${this.namespace}/${this.name}`;
  }
}

/** An object of one of several clusters. The cluster counts for equality, not for the key. */
export class ObjectWithCluster<T> {
  readonly clusterID: string;
  readonly object: T;

  constructor(clusterID: string, object: T) {
    this.clusterID = clusterID;
    this.object = object;
  }

  resourceName(): string {
    return requireKey(this.object, 'ObjectWithCluster');
  }
}
