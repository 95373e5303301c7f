// What stands in a Lease, and how it is read and written there.

import {hostname} from 'node:os';
import type {KubeObject} from '../../kube/object.ts';
import {resourcePath, resources} from '../../kube/resource.ts';
import type {RequestOptions, Wire} from '../../kube/transport/transport.ts';

export interface LeaseRecord {
  holderIdentity: string;
  leaseDurationSeconds: number;
  /** RFC 3339 with six digits. Told to others and never compared with our clock: theirs may be another. */
  acquireTime: string;
  renewTime: string;
  leaseTransitions: number;
}

export interface LeaseRef {
  namespace: string;
  name: string;
}

/** A Lease as the server had it; `object` carries the resourceVersion that makes the next write safe. */
export interface LeaseSnapshot {
  record: LeaseRecord;
  object: KubeObject;
}

export class LeaseLock {
  readonly place: LeaseRef;
  readonly #wire: Wire;
  readonly #timeout: number;

  /** `timeout` is the limit of one request in milliseconds. */
  constructor(wire: Wire, place: LeaseRef, timeout: number) {
    this.#wire = wire;
    this.place = place;
    this.#timeout = timeout;
  }

  get(): Promise<LeaseSnapshot> {
    return this.#send({path: resourcePath(resources.Leases, this.place)});
  }

  create(record: LeaseRecord): Promise<LeaseSnapshot> {
    const {namespace, name} = this.place;
    const body = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {namespace, name},
      spec: record,
    };
    return this.#send({method: 'POST', path: resourcePath(resources.Leases, {namespace}), body});
  }

  /** A conflict when somebody wrote since `held` was read. */
  update(held: LeaseSnapshot, record: LeaseRecord): Promise<LeaseSnapshot> {
    const body = {...held.object, spec: {...(held.object.spec as object), ...record}};
    return this.#send({method: 'PUT', path: resourcePath(resources.Leases, this.place), body});
  }

  async #send(options: RequestOptions): Promise<LeaseSnapshot> {
    // Never sent again by the transport: when to try next is the elector's to say.
    const {body} = await this.#wire.request<KubeObject>({...options, timeout: this.#timeout, retries: 0});
    return leaseSnapshotOf(body);
  }
}

function leaseSnapshotOf(object: KubeObject): LeaseSnapshot {
  const spec = (object.spec ?? {}) as Partial<LeaseRecord>;
  const record: LeaseRecord = {
    holderIdentity: spec.holderIdentity ?? '',
    leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: spec.acquireTime ?? '',
    renewTime: spec.renewTime ?? '',
    leaseTransitions: spec.leaseTransitions ?? 0,
  };
  return {record, object};
}

/**
 * Now, by the wall clock, as Kubernetes writes a MicroTime. The last digits are the caller's: two renewals within
 * one millisecond must not look alike to whoever waits for a change.
 */
export function microTime(micros = 0): string {
  const digits = String(micros % 1000).padStart(3, '0');
  return new Date().toISOString().replace('Z', `${digits}Z`);
}

/** The host's name, and something that tells two processes on it apart. */
export function makeIdentity(random: () => string): string {
  return `${hostname()}_${random()}`;
}
