// The content of a Lease, and its reads and writes.

import {hostname} from 'node:os';
import type {KubeObject} from '../../kube/object.ts';
import {resourcePath, resources} from '../../kube/resource.ts';
import type {RequestOptions, Wire} from '../../kube/transport/transport.ts';

export interface LeaseRecord {
  holderIdentity: string;
  leaseDurationSeconds: number;
  /** RFC 3339 with six digits. Never compared with our clock, because the clocks may differ. */
  acquireTime: string;
  renewTime: string;
  leaseTransitions: number;
}

export interface LeaseRef {
  namespace: string;
  name: string;
}

/** A Lease from the server. The resourceVersion in `object` makes the next write safe. */
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

  /** Fails with a conflict if another process has written since `current` was read. */
  update(current: LeaseSnapshot, record: LeaseRecord): Promise<LeaseSnapshot> {
    const body = {...current.object, spec: {...(current.object.spec as object), ...record}};
    return this.#send({method: 'PUT', path: resourcePath(resources.Leases, this.place), body});
  }

  async #send(options: RequestOptions): Promise<LeaseSnapshot> {
    // The transport must not retry, because the elector decides when to retry.
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
 * Returns the wall-clock time as a MicroTime. The caller sets the last digits, so that two renewals within one
 * millisecond differ.
 */
export function microTime(micros = 0): string {
  const digits = String(micros % 1000).padStart(3, '0');
  return new Date().toISOString().replace('Z', `${digits}Z`);
}

/** The host name and a random suffix for the process. */
export function makeIdentity(random: () => string): string {
  return `${hostname()}_${random()}`;
}
