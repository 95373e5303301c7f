// Writes Events, which users see in `kubectl describe` and `kubectl get events`. Repeated Events are counted, and
// the rate for each object is limited.

import {hostname} from 'node:os';
import type {Clock} from '../../kube/clock.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Client} from '../client/client.ts';
import {isForbidden, isNotFound} from '../client/error-checks.ts';
import {rawPatch} from '../client/patch.ts';
import type {Logger} from '../log/logger.ts';
import {currentRun} from '../trace/current-run.ts';
import {
  type EventFacts,
  type EventReference,
  type EventType,
  newEvent,
  referenceTo,
  repeatedEvent,
} from './event-body.ts';
import {EventCorrelator} from './event-correlator.ts';

/** What an Event may add to its reason and message. */
export interface EventDetails {
  /** What was done or failed, such as `Create`. Default in events.k8s.io: the reason. */
  action?: string | undefined;
  /** The second object, such as the Pod that was created for the object. */
  related?: KubeObject | undefined;
}

export interface EventRecorder {
  /** Records an Event about an object. Never throws and never waits; a failed write is dropped. */
  event(object: KubeObject, type: EventType, reason: string, message: string, details?: EventDetails): void;
}

export interface RecorderOptions {
  client: Pick<Client, 'create' | 'patch'>;
  /** The reporting controller's name. */
  component: string;
  /** The API to write. `events.k8s.io/v1` has its own rights in RBAC. Default: `v1`. */
  api?: 'v1' | 'events.k8s.io/v1' | undefined;
  /** The id of this process in Events. Default: the host's name. */
  instance?: string | undefined;
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

  event(
    object: KubeObject,
    type: EventType,
    reason: string,
    message: string,
    {action, related}: EventDetails = {},
  ): void {
    if (this.#waiting >= mostWaiting) return;
    const involved = referenceTo(object);
    const facts = {type, reason, action, related: related && referenceTo(related)};
    this.#waiting++;
    // Runs outside of the current reconcile, because an Event is not one of its writes.
    this.#last = currentRun.exit(() =>
      this.#last
        .then(() => this.#write(involved, facts, message))
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

  async #write(involved: EventReference, facts: EventFacts, text: string): Promise<void> {
    const {client, component, api = 'v1', instance = hostname()} = this.#options;
    const {type, action = '', related} = facts;
    const about = `${involved.uid} ${involved.kind} ${involved.name}`;
    const seen = this.#correlator.correlate(
      about,
      type,
      [facts.reason, action, related?.uid].filter(Boolean).join(' '),
      text,
    );
    if (!seen) return;
    const {previous, message} = seen;
    const now = new Date(this.#now());
    if (previous.event) {
      previous.count++;
      try {
        const body = repeatedEvent(api, previous.count, now, message);
        await client.patch({...previous.event}, rawPatch('merge', body));
        return;
      } catch (error) {
        // The Event has expired, so write a new one.
        if (!isNotFound(error)) throw error;
      }
    }
    previous.count = 1;
    const event = newEvent(api, {
      ...facts,
      name: this.#name(involved.name),
      regarding: involved,
      message,
      component,
      instance,
      now,
    });
    const {apiVersion, kind, metadata} = event;
    await client.create<KubeObject>(event);
    previous.event = {apiVersion, kind, metadata: {name: metadata.name, namespace: metadata.namespace}};
  }

  #name(of: string): string {
    const nanoseconds = BigInt(this.#now()) * 1_000_000n + BigInt(this.#named++ % 1_000_000);
    return `${of}.${nanoseconds.toString(16)}`;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
