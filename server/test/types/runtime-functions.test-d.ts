// The functions of krtscope/runtime take this many arguments and return a type. The compiler is the test.
import {expectTypeOf} from 'vitest';
import type {
  addFinalizer,
  and,
  annotationChanged,
  applyController,
  atMost,
  bucket,
  channelSource,
  collectionSource,
  conditionsSchema,
  containsFinalizer,
  controllerFor,
  controllerOf,
  copy,
  createManager,
  createOrPatch,
  createOrUpdate,
  defaulting,
  defineResource,
  definitionYaml,
  differenceOf,
  enqueueMapped,
  enqueueObject,
  enqueueOwner,
  equal,
  exponential,
  fastThenSlow,
  generationChanged,
  getCondition,
  hasOwnerReference,
  ignoreNotFound,
  isAlreadyExists,
  isConditionTrue,
  isConflict,
  isControlledBy,
  isForbidden,
  isInvalid,
  isNotFound,
  isPanic,
  isTerminal,
  jsonLogger,
  jsonPatch,
  kind,
  kindOf,
  kindSource,
  labelChanged,
  labelSelector,
  longestOf,
  makeLogger,
  marks,
  merge,
  mergeFrom,
  metadataOf,
  namespaced,
  not,
  objectReconciler,
  or,
  plainDefault,
  predicate,
  rawPatch,
  rawSource,
  removeCondition,
  removeFinalizer,
  removeOwnerReference,
  requestOf,
  requestType,
  resourceVersionChanged,
  selectorText,
  selfSignedIdentity,
  serveConversions,
  serveWebhooks,
  setCondition,
  setControllerReference,
  setOwnerReference,
  shutdownSignal,
  strategicMergeFrom,
  validating,
  webhookConfigurations,
  webhookPath,
  withFinalizer,
} from '../../src/runtime/index.ts';
import type {Arity} from './type-checks.ts';

expectTypeOf<Arity<typeof addFinalizer>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof and>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof annotationChanged>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof applyController>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof atMost>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof bucket>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof channelSource>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof collectionSource>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof conditionsSchema>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof containsFinalizer>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof controllerFor>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof controllerOf>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof copy>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof createManager>>().toEqualTypeOf<0 | 1>();
expectTypeOf<Arity<typeof createOrPatch>>().toEqualTypeOf<3>();
expectTypeOf<Arity<typeof createOrUpdate>>().toEqualTypeOf<3>();
expectTypeOf<Arity<typeof defaulting>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof defineResource>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof definitionYaml>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof differenceOf>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof enqueueMapped>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof enqueueObject>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof enqueueOwner>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof equal>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof exponential>>().toEqualTypeOf<0 | 1>();
expectTypeOf<Arity<typeof fastThenSlow>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof generationChanged>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof getCondition>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof hasOwnerReference>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof ignoreNotFound>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof isAlreadyExists>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof isConditionTrue>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof isConflict>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof isControlledBy>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof isForbidden>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof isInvalid>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof isNotFound>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof isPanic>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof isTerminal>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof jsonLogger>>().toEqualTypeOf<0 | 1>();
expectTypeOf<Arity<typeof jsonPatch>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof kind>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof kindOf>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof kindSource>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof labelChanged>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof labelSelector>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof longestOf>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof makeLogger>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof marks>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof merge>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof mergeFrom>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof metadataOf>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof namespaced>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof not>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof objectReconciler>>().toEqualTypeOf<3>();
expectTypeOf<Arity<typeof or>>().toEqualTypeOf<number>();
expectTypeOf<Arity<typeof plainDefault>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof predicate>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof rawPatch>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof rawSource>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof removeCondition>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof removeFinalizer>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof removeOwnerReference>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof requestOf>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof requestType>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof resourceVersionChanged>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof selectorText>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof selfSignedIdentity>>().toEqualTypeOf<0 | 1>();
expectTypeOf<Arity<typeof serveConversions>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof serveWebhooks>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof setCondition>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof setControllerReference>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof setOwnerReference>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof shutdownSignal>>().toEqualTypeOf<0>();
expectTypeOf<Arity<typeof strategicMergeFrom>>().toEqualTypeOf<1 | 2>();
expectTypeOf<Arity<typeof validating>>().toEqualTypeOf<2 | 3>();
expectTypeOf<Arity<typeof webhookConfigurations>>().toEqualTypeOf<2>();
expectTypeOf<Arity<typeof webhookPath>>().toEqualTypeOf<1>();
expectTypeOf<Arity<typeof withFinalizer>>().toEqualTypeOf<4>();
