// A program's messages about its controllers: the controllers, their queues, and every step as a fact.
import {z} from 'zod';
import {count, key, name, programLimits, text, time} from './program-limits.ts';

/** A controller and its state. */
export const controllerSchema = z.object({
  name,
  /** Kinds, as `Kind` or `Kind.group`. */
  for: name.optional(),
  owns: z.array(name).max(100).default([]),
  watches: z
    .array(
      z.object({
        name,
        kind: name,
        handler: z.string().max(300).default(''),
        predicates: z.array(z.string().max(300)).max(50).default([]),
      }),
    )
    .max(100)
    .default([]),
  workers: count,
  state: z.enum(['waiting', 'running', 'paused', 'stopped']).default('running'),
  leader: z
    .object({
      identity: z.string().max(300),
      lease: z.string().max(300),
      leading: z.boolean(),
      renewed: time.optional(),
      /** Milliseconds that the lease lasts after its renewal. */
      duration: time.optional(),
    })
    .optional(),
});
export type ProgramController = z.infer<typeof controllerSchema>;

/** All controllers. Sent again when one changes. */
export const controllersMessageSchema = z.object({
  type: z.literal('controllers'),
  controllers: z.array(controllerSchema).max(programLimits.controllers),
});

export const requestStates = ['ready', 'delayed', 'in-flight', 'idle'] as const;

/** A controller's whole queue, at the start and after a gap. The facts below report changes in between. */
export const queueMessageSchema = z.object({
  type: z.literal('queue'),
  controller: name,
  at: time,
  requests: z
    .array(
      z.object({
        key,
        state: z.enum(['ready', 'delayed', 'in-flight']),
        /** When a delayed request becomes ready. */
        due: time.optional(),
        priority: z.number().int().optional(),
      }),
    )
    .max(programLimits.changes),
  /** Totals since the program's start. */
  done: count.default(0),
  requeued: count.default(0),
  failed: count.default(0),
});

export const attemptResults = [
  'done',
  'requeue',
  'requeue-after',
  'error',
  'terminal',
  'panic',
  'timeout',
] as const;

const of = {controller: name, at: time};

/** A change that a controller's watch received. `id` is unique within the controller. */
export const eventFactSchema = z.object({
  fact: z.literal('event'),
  ...of,
  id: count,
  watch: name,
  event: z.enum(['create', 'update', 'delete', 'generic']),
  kind: name,
  key,
  resourceVersion: z.string().max(200).optional(),
  /** It existed at the start, or is reported again unchanged. */
  unchanged: z.boolean().default(false),
  handler: z.string().max(300).default(''),
  /** The predicate that filtered it out. */
  rejectedBy: z.string().max(300).optional(),
});

/** A request on its way into the queue. */
export const enqueueFactSchema = z.object({
  fact: z.literal('enqueue'),
  ...of,
  key,
  reason: z.enum(['event', 'error', 'requeue', 'requeue-after', 'source']),
  /** The causing event. */
  event: count.optional(),
  /**
   * `folded`: coalesced with a waiting request. `sooner`: its wait became shorter.
   * `again`: it runs now, and once more after that. `refused`: the queue is shut down.
   */
  added: z.enum(['ready', 'delayed', 'again', 'folded', 'sooner', 'refused']),
  /** When it is due. */
  due: time.optional(),
  priority: z.number().int().optional(),
});

const run = {...of, run: z.string().min(1).max(64), key};

export const startFactSchema = z.object({
  fact: z.literal('start'),
  ...run,
  attempt: z.number().int().min(1),
  priority: z.number().int().optional(),
});

export const readFactSchema = z.object({
  fact: z.literal('read'),
  ...run,
  verb: z.enum(['get', 'list']),
  kind: name,
  from: z.enum(['cache', 'api']),
  namespace: z.string().max(300).optional(),
  name: z.string().max(300).optional(),
  count,
  /** Milliseconds that it took. It ended at `at`. */
  took: z.number().min(0).optional(),
  /** The cache had not received an earlier write of the program to what was read. */
  stale: z.boolean().optional(),
  error: text.optional(),
});

export const writeFactSchema = z.object({
  fact: z.literal('write'),
  ...run,
  verb: z.string().max(40),
  kind: name,
  namespace: z.string().max(300).optional(),
  name: z.string().max(300).optional(),
  subresource: z.string().max(100).optional(),
  dryRun: z.boolean().default(false),
  took: z.number().min(0).optional(),
  /** The object before the write, if the cache had it, and after it. The sender redacts both. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  error: text.optional(),
});

export const logFactSchema = z.object({
  fact: z.literal('log'),
  ...run,
  level: z.enum(['debug', 'info', 'warn', 'error']),
  message: text,
  fields: z.record(z.string().max(200), z.unknown()).default({}),
});

export const endFactSchema = z.object({
  fact: z.literal('end'),
  ...run,
  attempt: z.number().int().min(1),
  took: z.number().nonnegative(),
  result: z.enum(attemptResults),
  /** Milliseconds until the next try, if there is one. */
  after: z.number().nonnegative().optional(),
  error: text.optional(),
});

export const factSchema = z.discriminatedUnion('fact', [
  eventFactSchema,
  enqueueFactSchema,
  startFactSchema,
  readFactSchema,
  writeFactSchema,
  logFactSchema,
  endFactSchema,
]);
export type ControllerFact = z.infer<typeof factSchema>;

/** Steps of controllers, in order. */
export const factsMessageSchema = z.object({
  type: z.literal('facts'),
  facts: z.array(factSchema).max(programLimits.changes),
});
