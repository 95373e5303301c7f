// Events: what a controller tells the people who look after its objects, in `kubectl describe` and `kubectl get
// events`. Told once and counted when it happens again; a controller that says too much about one object is cut short.

import type {Clock} from '../../kube/clock.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Client} from '../client/client.ts';
import {isForbidden, isNotFound} from '../client/error-checks.ts';
import {rawPatch} from '../client/patch.ts';
import type {Logger} from '../log/logger.ts';
import type {Event} from '../scheme/built-in-types.ts';
import {currentRun} from '../trace/current-run.ts';
import {EventCorrelator} from './event-correlator.ts';

export type EventType = 'Normal' | 'Warning';

export interface EventRecorder {
  /** Notes something about an object. Never throws and never waits: an Event that cannot be written is dropped. */
  event(object: KubeObject, type: EventType, reason: string, message: string): void;
}

export interface RecorderOptions {
  client: Pick<Client, 'create' | 'patch'>;
  /** Who says it: a controller's name. */
  component: string;
  clock: Clock;
  log: Logger;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

/** Events that may wait to be written; beyond it they are dropped. */
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
    // Outside of the run that says it: an Event is no write by which the run brings anything about.
    this.#last = currentRun.exit(() =>
      this.#last
        .then(() => this.#write(involved, type, reason, message))
        .catch(error => {
          // A namespace that is going takes no Events; everything else is worth a line.
          if (!isForbidden(error)) this.#options.log.warn('an Event could not be written', {reason, error});
        })
        .finally(() => {
          this.#waiting--;
        }),
    );
  }

  /** Resolves when everything noted so far has been written or dropped. */
  flushed(): Promise<void> {
    return this.#last;
  }

  async #write(involved: InvolvedObject, type: EventType, reason: string, said: string): Promise<void> {
    const {client, component} = this.#options;
    const seen = this.#correlator.correlate(
      `${involved.uid} ${involved.kind} ${involved.name}`,
      type,
      reason,
      said,
    );
    if (!seen) return;
    const {known, message} = seen;
    const time = this.#time();
    if (known.event) {
      known.count++;
      try {
        const body = {count: known.count, lastTimestamp: time, message};
        await client.patch({...known.event}, rawPatch('merge', body));
        return;
      } catch (error) {
        // It has expired: the next one stands for itself.
        if (!isNotFound(error)) throw error;
      }
    }
    known.count = 1;
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
    known.event = {apiVersion, kind, metadata: {name: metadata.name, namespace: metadata.namespace}};
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
