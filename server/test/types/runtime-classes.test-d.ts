// The classes of krtscope/runtime have these members. The compiler is the test.
import {expectTypeOf} from 'vitest';
import type {
  AdmissionDeniedError,
  AlreadyOwnedError,
  ApiError,
  CacheNotStartedError,
  CacheSyncTimeoutError,
  Channel,
  ClientEventRecorder,
  ConnectionError,
  Controller,
  ControllerBuilder,
  ConversionError,
  Converter,
  Finalizers,
  InformerCache,
  LeaseExpiredError,
  Manager,
  Mapper,
  Metrics,
  NoKindMatchError,
  OwnWriteNotSeenError,
  PanicError,
  PlainQueue,
  PriorityQueue,
  Program,
  ReconcileTimeoutError,
  ResourceNotCachedError,
  RuntimeClient,
  SchemaError,
  Scheme,
  TerminalError,
  UnknownNamespaceError,
  WebhookServer,
} from '../../src/runtime/index.ts';
import type {Names} from './type-checks.ts';

expectTypeOf<keyof AdmissionDeniedError>().toEqualTypeOf<Names<'code reason name message stack cause'>>();
expectTypeOf<keyof AlreadyOwnedError>().toEqualTypeOf<Names<'name owner message stack cause'>>();
expectTypeOf<keyof ApiError>().toEqualTypeOf<
  Names<'name code reason details retryAfter status message stack cause'>
>();
expectTypeOf<keyof CacheNotStartedError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof CacheSyncTimeoutError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof Channel>().toEqualTypeOf<Names<'send onEvent'>>();
expectTypeOf<keyof ClientEventRecorder>().toEqualTypeOf<Names<'event flushed'>>();
expectTypeOf<keyof ConnectionError>().toEqualTypeOf<Names<'name failure stage message stack cause'>>();
expectTypeOf<keyof Controller>().toEqualTypeOf<
  Names<'name needLeaderElection watch warmup start pause resume view'>
>();
expectTypeOf<keyof ControllerBuilder>().toEqualTypeOf<
  Names<'for owns watches watchesMetadata watchesRaw withEventFilter withOptions named complete'>
>();
expectTypeOf<keyof ConversionError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof Converter>().toEqualTypeOf<Names<'group kind convert'>>();
expectTypeOf<keyof Finalizers>().toEqualTypeOf<Names<'register finalize'>>();
expectTypeOf<keyof InformerCache>().toEqualTypeOf<
  Names<'get list peek informer removeInformer indexField start waitForSync hasWrite selects waitForWrite auditAll'>
>();
expectTypeOf<keyof LeaseExpiredError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof Manager>().toEqualTypeOf<
  Names<'clock log metrics scheme mapper cache client apiReader tracer controllerDefaults surroundings elected leading controllers leader ports webhookServer eventRecorder claimName add addHealthzCheck addReadyzCheck addMetricsHandler start'>
>();
expectTypeOf<keyof Mapper>().toEqualTypeOf<Names<'known resource kindFor forget'>>();
expectTypeOf<keyof Metrics>().toEqualTypeOf<
  Names<'registry reconciles reconcileErrors terminalErrors panics timeouts reconcileTime maxConcurrent activeWorkers queueDepth queueAdds queueDuration workDuration unfinishedWork longestRunning queueRetries requests requestDuration requestSize responseSize requestRetries usedRights masterStatus webhookLatency webhookRequests webhookInFlight conversionPanics certificateReads certificateErrors eventLoopLag counted count gauged onScrape'>
>();
expectTypeOf<keyof NoKindMatchError>().toEqualTypeOf<Names<'name apiVersion kind message stack cause'>>();
expectTypeOf<keyof OwnWriteNotSeenError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof PanicError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof PlainQueue>().toEqualTypeOf<
  Names<'length shuttingDown add take get done forget retries shutDown shutDownWithDrain running view'>
>();
expectTypeOf<keyof PriorityQueue>().toEqualTypeOf<
  Names<'length shuttingDown add take get done forget retries shutDown running view'>
>();
expectTypeOf<keyof Program>().toEqualTypeOf<Names<'name session add end'>>();
expectTypeOf<keyof ReconcileTimeoutError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof ResourceNotCachedError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof RuntimeClient>().toEqualTypeOf<
  Names<'apiReader mapper get list create update patch apply delete deleteAllOf status subResource with'>
>();
expectTypeOf<keyof SchemaError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof Scheme>().toEqualTypeOf<Names<'add recognizes versions kinds kindOf'>>();
expectTypeOf<keyof TerminalError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof UnknownNamespaceError>().toEqualTypeOf<Names<'name message stack cause'>>();
expectTypeOf<keyof WebhookServer>().toEqualTypeOf<
  Names<'serves port needLeaderElection register provideCertificate useCertificate ready start'>
>();
