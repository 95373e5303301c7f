// Mistakes that must not compile: misspelt options, wrong results, unknown fields. The compiler is the test.
import {
  ConfigMap,
  controllerFor,
  createManager,
  defineResource,
  type Manager,
  marks,
  objectReconciler,
  requestType,
  setCondition,
  z,
} from '../../src/runtime/index.ts';

declare const manager: Manager;

// @ts-expect-error: the option is healthProbeBindAddress
void createManager({healthProbeAddress: ':8081'});
// @ts-expect-error: the id is required
void createManager({leaderElection: {namespace: 'default'}});
// @ts-expect-error: the option is readOwnWrites
void createManager({client: {readYourWrites: true}});
// @ts-expect-error: true or false
void createManager({metrics: {authentication: 'token'}});

// @ts-expect-error: apps/v1 has no Deploymnt
void manager.client.delete({apiVersion: 'apps/v1', kind: 'Deploymnt', metadata: {name: 'a'}});
void manager.client.delete({apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'a'}});
void manager.client.delete({apiVersion: 'example.com/v1', kind: 'Site', metadata: {name: 'a'}});

const builder = controllerFor(manager).for(ConfigMap);
// @ts-expect-error: the option is maxConcurrentReconciles
builder.withOptions({maxConcurrentReconcile: 2});
// @ts-expect-error: milliseconds, not a text
builder.complete(() => ({requeueAfter: '5s'}));
// @ts-expect-error: the field is requeueAfter
builder.complete((): import('../../src/runtime/index.ts').Result => ({requeueafter: 5}));
objectReconciler(manager.client, ConfigMap, map => {
  // @ts-expect-error: a ConfigMap has data
  void map.date;
});

// @ts-expect-error: a condition has a status of True, False or Unknown
setCondition(new Object() as never, {type: 'Ready', status: true, reason: 'Done'});
// @ts-expect-error: a resource needs versions
defineResource({group: 'example.com', kind: 'Site'});
// @ts-expect-error: the mark is immutable
z.string().meta(marks({imutable: true}));

const shards = requestType<{shard: number}>();
// @ts-expect-error: the shard is a number
shards.request({shard: '1'});
// @ts-expect-error: requests are identified by texts, numbers and booleans
requestType<{when: Date}>();

// @ts-expect-error: Normal or Warning
manager.eventRecorder('x').event(new Object() as never, 'Error', 'Failed', 'it failed');
// @ts-expect-error: only these two APIs
manager.eventRecorder('x', {api: 'events/v1'});
