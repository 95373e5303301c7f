// A server with one Lease in memory: versions, conflicts, and failures that a test injects.

import type {ManualClock} from '../../../test/manual-clock.ts';
import {ApiError} from '../../kube/error.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Answer, RequestOptions, Wire} from '../../kube/transport/transport.ts';
import type {LeaseRecord} from './lease-record.ts';

export class LeaseServer {
  lease: KubeObject | undefined;
  /** Requests by method and holder: `PUT a`. */
  readonly log: string[] = [];
  readonly events: string[] = [];
  #version = 1;

  get record(): LeaseRecord {
    return this.lease?.spec as LeaseRecord;
  }

  put(record: Partial<LeaseRecord>): void {
    this.lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {namespace: 'default', name: 'lock', resourceVersion: String(++this.#version)},
      spec: {leaseDurationSeconds: 15, leaseTransitions: 0, ...record},
    };
  }

  /** Returns a connection that a test can break: `broken` runs before each request. */
  wire(clock: ManualClock, broken: () => void | Promise<void> = () => {}): Wire {
    return {
      server: 'memory',
      readOnly: false,
      clock,
      request: async <T>(options: RequestOptions) => {
        await broken();
        return {code: 200, headers: {}, warnings: [], body: this.#answer(options) as T} as Answer<T>;
      },
      stream: async () => {
        throw new Error('this server has no watches');
      },
      close: async () => {},
    };
  }

  #answer({method = 'GET', path, body}: RequestOptions): unknown {
    if (path.includes('/events')) {
      this.events.push((body as {message: string}).message);
      return body;
    }
    const sent = body as (KubeObject & {spec: LeaseRecord}) | undefined;
    this.log.push(sent ? `${method} ${sent.spec.holderIdentity}` : method);
    if (method === 'GET') {
      if (!this.lease) throw new ApiError(404, 'leases "lock" not found');
      return structuredClone(this.lease);
    }
    if (method === 'POST' && this.lease) throw new ApiError(409, 'leases "lock" already exists');
    if (method === 'PUT' && sent?.metadata.resourceVersion !== this.lease?.metadata.resourceVersion)
      throw new ApiError(409, 'the object has been modified');
    this.put(sent?.spec ?? {});
    return structuredClone(this.lease);
  }
}
