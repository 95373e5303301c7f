// Writes Events, which users see in `kubectl describe` and `kubectl get events`. Repeated Events are counted, and
// the rate for each object is limited.

import type {Event} from '../../built-in-types/index.ts';
import type {Clock} from '../../kube/clock.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Client} from '../client/client.ts';
import {isForbidden, isNotFound} from '../client/error-checks.ts';
import {rawPatch} from '../client/patch.ts';
import type {Logger} from '../log/logger.ts';
import {currentRun} from '../trace/current-run.ts';
import {EventCorrelator} from './event-correlator.ts';

export type EventType = 'Normal' | 'Warning';

export interface EventRecorder {
  /** Records an Event about an object. Never throws and never waits; a failed write is dropped. */
  event(object: KubeObject, type: EventType, reason: string, message: string): void;
}

export interface RecorderOptions {
  client: Pick<Client, 'create' | 'patch'>;
  /** The reporting controller's name. */
  component: string;
  clock: Clock;
  log: Logger;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

/** The longest queue of unwritten Events. Further Events are dropped. */
const mostWaiting = 1000;

export class ClientEventRecorder implements EventRecorder {
  readonly #options: RecorderOptions;
  readonly #correlator: EventCorrelator;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #named = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#correlator = new EventCorrelator(options.clock);
  }

  event(object: KubeObject, type: EventType, reason: string, message: string): void {
    if (this.#waiting >= mostWaiting) return;
    const involved = referenceTo(object);
    this.#waiting++;
    // Runs outside of the current reconcile, because an Event is not one of its writes.
    this.#last = currentRun.exit(() =>
      this.#last
        .then(() => this.#write(involved, type, reason, message))
        .catch(error => {
          // A terminating namespace refuses Events. Log every other failure.
          if (!isForbidden(error)) this.#options.log.warn('cannot write Event', {reason, error});
        })
        .finally(() => {
          this.#waiting--;
        }),
    );
  }

  /** Resolves when every recorded Event has been written or dropped. */
  flushed(): Promise<void> {
    return this.#last;
  }

  async #write(involved: InvolvedObject, type: EventType, reason: string, text: string): Promise<void> {
    const {client, component} = this.#options;
    const seen = this.#correlator.correlate(
      `${involved.uid} ${involved.kind} ${involved.name}`,
      type,
      reason,
      text,
    );
    if (!seen) return;
    const {previous, message} = seen;
    const time = this.#time();
    if (previous.event) {
      previous.count++;
      try {
        const body = {count: previous.count, lastTimestamp: time, message};
        await client.patch({...previous.event}, rawPatch('merge', body));
        return;
      } catch (error) {
        // The Event has expired, so write a new one.
        if (!isNotFound(error)) throw error;
      }
    }
    previous.count = 1;
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {name: this.#name(involved.name), namespace: involved.namespace || 'default'},
      involvedObject: involved,
      reason,
      message,
      source: {component},
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type,
      reportingComponent: component,
      reportingInstance: '',
    };
    const {apiVersion, kind, metadata} = event;
    await client.create(event);
    previous.event = {apiVersion, kind, metadata: {name: metadata.name, namespace: metadata.namespace}};
  }

  #name(of: string): string {
    const nanoseconds = BigInt(this.#now()) * 1_000_000n + BigInt(this.#named++ % 1_000_000);
    return `${of}.${nanoseconds.toString(16)}`;
  }

  #time(): string {
    return `${new Date(this.#now()).toISOString().slice(0, 19)}Z`;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

interface InvolvedObject {
  [field: string]: unknown;
  kind: string;
  namespace: string | undefined;
  name: string;
  uid: string;
}

function referenceTo(object: KubeObject): InvolvedObject {
  const {apiVersion = '', kind = '', metadata} = object;
  const {namespace, name = '', uid = '', resourceVersion} = metadata;
  return {kind, namespace, name, uid, apiVersion, resourceVersion};
}
