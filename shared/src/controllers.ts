// Answers about controllers: the controllers, their queues, their requests and attempts, and why a request ran.
import {z} from 'zod';
import {attemptResults, requestStates} from './programs/program-facts.ts';

export const controllerAnswerSchema = z.object({
  name: z.string(),
  /** The program that runs it. */
  program: z.string(),
  for: z.string().optional(),
  owns: z.array(z.string()),
  watches: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      handler: z.string(),
      predicates: z.array(z.string()),
      /** Events received, and those that a predicate filtered out. */
      events: z.number(),
      rejected: z.number(),
    }),
  ),
  workers: z.number(),
  /** `waiting` for the lease or for its caches; `away` while its program is disconnected. */
  state: z.enum(['waiting', 'running', 'paused', 'stopped', 'away']),
  ready: z.number(),
  delayed: z.number(),
  inFlight: z.number(),
  done: z.number(),
  requeued: z.number(),
  failed: z.number(),
  leader: z
    .object({
      identity: z.string(),
      lease: z.string(),
      leading: z.boolean(),
      renewed: z.number().optional(),
      /** Milliseconds that the lease lasts after its renewal. */
      duration: z.number().optional(),
    })
    .optional(),
  /** Events that led to a request, and those that were coalesced with a waiting one. */
  asked: z.number(),
  folded: z.number(),
  /** Reads from the cache and from the API, and the number of writes. */
  reads: z.object({cache: z.number(), api: z.number()}),
  writes: z.number(),
  /** Results of the last minutes, oldest first: 30 buckets of 10 s. */
  results: z.array(z.object({at: z.number(), done: z.number(), requeued: z.number(), failed: z.number()})),
});
export type ControllerAnswer = z.infer<typeof controllerAnswerSchema>;

export const controllersSchema = z.object({
  sequence: z.number(),
  controllers: z.array(controllerAnswerSchema),
});
export type Controllers = z.infer<typeof controllersSchema>;

/** Why a request was in the queue when an attempt took it. */
export const reconcileCauseSchema = z.object({
  reason: z.enum(['event', 'error', 'requeue', 'requeue-after', 'source']),
  at: z.number(),
  /** Of an `event`: what the watch received. */
  watch: z.string().optional(),
  event: z.enum(['create', 'update', 'delete', 'generic']).optional(),
  kind: z.string().optional(),
  key: z.string().optional(),
  resourceVersion: z.string().optional(),
  unchanged: z.boolean().optional(),
  handler: z.string().optional(),
  /** It was coalesced with a waiting request. */
  folded: z.boolean().optional(),
});
export type ReconcileCause = z.infer<typeof reconcileCauseSchema>;

/** One attempt of any controller of the session. */
export const attemptLinkSchema = z.object({controller: z.string(), key: z.string(), attempt: z.number()});
export type AttemptLink = z.infer<typeof attemptLinkSchema>;

/** An event that a predicate filtered out. */
export const rejectedCauseSchema = reconcileCauseSchema.extend({rejectedBy: z.string()});
export type RejectedCause = z.infer<typeof rejectedCauseSchema>;

export const attemptReadSchema = z.object({
  at: z.number(),
  verb: z.enum(['get', 'list']),
  kind: z.string(),
  from: z.enum(['cache', 'api']),
  namespace: z.string().optional(),
  name: z.string().optional(),
  count: z.number(),
  /** Milliseconds that it took. It ended at `at`. */
  took: z.number().optional(),
  /** The cache had not received an earlier write of the program to what was read. */
  stale: z.boolean().optional(),
  error: z.string().optional(),
});

export const attemptWriteSchema = z.object({
  at: z.number(),
  verb: z.string(),
  kind: z.string(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  subresource: z.string().optional(),
  dryRun: z.boolean(),
  took: z.number().optional(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  error: z.string().optional(),
});

export const attemptLogSchema = z.object({
  at: z.number(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()),
});

export const attemptSchema = z.object({
  /** The reconcile's id. */
  run: z.string(),
  /** The number of this run of its request, counted from the first one received. */
  attempt: z.number(),
  /** 1 after a success, one more with each failure in a row. */
  retry: z.number(),
  /** When it was first requested. The wait in the queue ends with `start`. */
  asked: z.number().optional(),
  start: z.number(),
  /** Absent while it runs. */
  took: z.number().optional(),
  result: z.enum(attemptResults).optional(),
  after: z.number().optional(),
  error: z.string().optional(),
  causes: z.array(reconcileCauseSchema),
  reads: z.array(attemptReadSchema),
  writes: z.array(attemptWriteSchema),
  log: z.array(attemptLogSchema),
  /** Reads, writes and log lines that were dropped because there were too many. */
  left: z.number().optional(),
});
export type Attempt = z.infer<typeof attemptSchema>;

export const requestRowSchema = z.object({
  key: z.string(),
  state: z.enum(requestStates),
  due: z.number().optional(),
  priority: z.number().optional(),
  /** Since when it is in this state. */
  since: z.number(),
  /** Events that wait with it. */
  folded: z.number(),
  /** Number of received attempts, and a summary of the last one. */
  attempts: z.number(),
  last: z
    .object({
      at: z.number(),
      result: z.enum(attemptResults),
      attempt: z.number(),
      retry: z.number(),
      took: z.number(),
      after: z.number().optional(),
      error: z.string().optional(),
    })
    .optional(),
  /** For a request in flight: its start and its last step. */
  running: z.object({start: z.number(), step: z.string()}).optional(),
});
export type RequestRow = z.infer<typeof requestRowSchema>;

export const requestsSchema = z.object({
  sequence: z.number(),
  total: z.number(),
  requests: z.array(requestRowSchema),
  cursor: z.string().optional(),
});
export type RequestsAnswer = z.infer<typeof requestsSchema>;

/** Why a request runs, or does not run, at the moment. */
export const reconcileStates = [
  'in-flight',
  'ready',
  'delayed',
  'paused',
  'not-leader',
  'not-synced',
  'stopped',
  'away',
  'rejected',
  'idle',
] as const;

export const reconcileVerdictSchema = z.object({verdict: z.enum(reconcileStates), sentence: z.string()});
export type ReconcileVerdict = z.infer<typeof reconcileVerdictSchema>;

export const requestAnswerSchema = z.object({
  sequence: z.number(),
  controller: z.string(),
  key: z.string(),
  state: z.enum(requestStates),
  due: z.number().optional(),
  /** Why it runs, or does not run, now. */
  now: reconcileVerdictSchema,
  /** The stored attempts, newest last. */
  attempts: z.array(attemptSchema),
  /** Events about it without an attempt: filtered out by a predicate, or waiting. */
  waiting: z.array(reconcileCauseSchema),
  rejected: z.array(rejectedCauseSchema),
});
export type RequestAnswer = z.infer<typeof requestAnswerSchema>;

export const whyReconcileSchema = z.object({
  sequence: z.number(),
  controller: z.string(),
  key: z.string(),
  sentence: z.string(),
  /** Why it runs, or does not run, now. */
  now: reconcileVerdictSchema,
  attempt: attemptSchema.optional(),
  /** Of an event: the attempt whose write it reports, if a controller of the session wrote it. */
  causes: z.array(reconcileCauseSchema.extend({writtenBy: attemptLinkSchema.optional()})),
  /** Its writes, in order, each with the attempts of other requests that it caused. */
  effects: z.array(attemptWriteSchema.extend({caused: z.array(attemptLinkSchema).optional()})),
});
export type WhyReconcile = z.infer<typeof whyReconcileSchema>;
