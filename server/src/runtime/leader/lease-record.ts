// What stands in a Lease, and how it is read and written there.

import {hostname} from 'node:os';
import type {KubeObject} from '../../kube/object.ts';
import {resourcePath, resources} from '../../kube/resource.ts';
import type {RequestOptions, Wire} from '../../kube/transport.ts';

export interface LeaseRecord {
  holderIdentity: string;
  leaseDurationSeconds: number;
  /** RFC 3339 with six digits. Told to others and never compared with our clock: theirs may be another. */
  acquireTime: string;
  renewTime: string;
  leaseTransitions: number;
}

export interface LeasePlace {
  namespace: string;
  name: string;
}

/** A Lease as the server had it; `object` carries the resourceVersion that makes the next write safe. */
export interface HeldLease {
  record: LeaseRecord;
  object: KubeObject;
}

export class LeaseLock {
  readonly place: LeasePlace;
  readonly #wire: Wire;
  readonly #timeout: number;

  /** `timeout` is the limit of one request in milliseconds. */
  constructor(wire: Wire, place: LeasePlace, timeout: number) {
    this.#wire = wire;
    this.place = place;
    this.#timeout = timeout;
  }

  get(): Promise<HeldLease> {
    return this.#send({path: resourcePath(resources.Leases, this.place)});
  }

  create(record: LeaseRecord): Promise<HeldLease> {
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
  update(held: HeldLease, record: LeaseRecord): Promise<HeldLease> {
    const body = {...held.object, spec: {...(held.object.spec as object), ...record}};
    return this.#send({method: 'PUT', path: resourcePath(resources.Leases, this.place), body});
  }

  async #send(options: RequestOptions): Promise<HeldLease> {
    // Never sent again by the transport: when to try next is the elector's to say.
    const {body} = await this.#wire.request<KubeObject>({...options, timeout: this.#timeout, retries: 0});
    return heldOf(body);
  }
}

function heldOf(object: KubeObject): HeldLease {
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
