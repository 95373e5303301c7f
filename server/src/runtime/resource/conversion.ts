// Converts objects between the versions of a resource. Every version converts to the hub version and back.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import type {KubeObject} from '../../kube/object.ts';
import {groupVersionOf} from '../scheme/kind.ts';

/** The result of a conversion. In metadata, only labels and annotations may change. */
export type Converted<T extends KubeObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> & {
  metadata?: {labels?: Record<string, string>; annotations?: Record<string, string>};
};

/** Conversions of one version to the hub and back. A round trip must not lose data. */
export interface Conversion<Spoke extends KubeObject, Hub extends KubeObject> {
  toHub(spoke: Spoke): Converted<Hub>;
  fromHub(hub: Hub): Converted<Spoke>;
}

export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

export class Converter {
  readonly group: string;
  readonly kind: string;
  readonly #hub: string;
  readonly #spokes: ReadonlyMap<string, Conversion<KubeObject, KubeObject>>;

  constructor(
    group: string,
    kind: string,
    hub: string,
    spokes: ReadonlyMap<string, Conversion<KubeObject, KubeObject>>,
  ) {
    this.group = group;
    this.kind = kind;
    this.#hub = hub;
    this.#spokes = spokes;
  }

  /** Returns the object in another version. Does not change the passed object. */
  convert(object: KubeObject, apiVersion: string): KubeObject {
    const from = groupVersionOf(object.apiVersion ?? '');
    const to = groupVersionOf(apiVersion);
    if (object.kind !== this.kind || from.group !== this.group || to.group !== this.group)
      throw new ConversionError(
        `cannot convert ${object.kind} of ${object.apiVersion} to ${apiVersion}: only ${this.kind} of ${this.group} is converted here`,
      );
    if (from.version === to.version)
      throw new ConversionError(`conversion is not allowed between same type ${this.kind} in ${apiVersion}`);
    const hub = this.#step(object, from.version, 'toHub', this.#hub);
    return this.#step(hub, to.version, 'fromHub', to.version);
  }

  #step(object: KubeObject, spoke: string, way: 'toHub' | 'fromHub', version: string): KubeObject {
    if (spoke === this.#hub) return object;
    const conversion = this.#spokes.get(spoke);
    if (!conversion)
      throw new ConversionError(
        `${this.kind} has no version ${spoke}; it has ${[this.#hub, ...this.#spokes.keys()].join(', ')}`,
      );
    const made = conversion[way](deepCopy(object));
    const {labels, annotations} = made.metadata ?? {};
    const metadata = {...object.metadata, ...(labels ? {labels} : {}), ...(annotations ? {annotations} : {})};
    return {...made, apiVersion: `${this.group}/${version}`, kind: this.kind, metadata} as KubeObject;
  }
}
