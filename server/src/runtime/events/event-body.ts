// The bodies of Events in both APIs: core v1 and events.k8s.io/v1. The server stores them as the same objects.

import type {Event, eventsV1} from '../../built-in-types/index.ts';
import type {KubeObject} from '../../kube/object.ts';

export type EventType = 'Normal' | 'Warning';
type EventApi = 'v1' | 'events.k8s.io/v1';

export interface EventReference {
  [field: string]: unknown;
  kind: string;
  namespace: string | undefined;
  name: string;
  uid: string;
}

export interface EventFacts {
  type: EventType;
  reason: string;
  action: string | undefined;
  related: EventReference | undefined;
}

interface NewEventFacts extends EventFacts {
  name: string;
  regarding: EventReference;
  message: string;
  component: string;
  instance: string;
  now: Date;
}

/** The longest note of events.k8s.io, in characters. */
const longestNote = 1024;

export function referenceTo(object: KubeObject): EventReference {
  const {apiVersion = '', kind = '', metadata} = object;
  const {namespace, name = '', uid = '', resourceVersion} = metadata;
  return {kind, namespace, name, uid, apiVersion, resourceVersion};
}

export function newEvent(api: EventApi, facts: NewEventFacts): Event | eventsV1.Event {
  const {type, reason, action, related, regarding, message, component, instance, now} = facts;
  const metadata = {name: facts.name, namespace: regarding.namespace || 'default'};
  if (api === 'events.k8s.io/v1')
    return {
      apiVersion: api,
      kind: 'Event',
      metadata,
      eventTime: microTime(now),
      regarding,
      ...(related ? {related} : {}),
      action: action ?? reason,
      reason,
      note: message.slice(0, longestNote),
      type,
      reportingController: component,
      reportingInstance: instance,
    };
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    involvedObject: regarding,
    ...(related ? {related} : {}),
    ...(action === undefined ? {} : {action}),
    reason,
    message,
    source: {component},
    firstTimestamp: time(now),
    lastTimestamp: time(now),
    count: 1,
    type,
    reportingComponent: component,
    reportingInstance: '',
  };
}

/** The patch of an Event that happened again. */
export function repeatedEvent(api: EventApi, count: number, now: Date, message: string): object {
  return api === 'events.k8s.io/v1'
    ? {series: {count, lastObservedTime: microTime(now)}}
    : {count, lastTimestamp: time(now), message};
}

function time(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`;
}

function microTime(now: Date): string {
  return now.toISOString().replace('Z', '000Z');
}
