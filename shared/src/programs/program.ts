// The messages on `/api/v1/programs` between krtscope and programs that run krt or controllers. docs/protocol.md
// describes them. Senders redact values. All times are milliseconds since 1970.
import {z} from 'zod';
import {resourceSchema} from '../graph.ts';
import {changeEvents, collectionKinds, outcomes} from '../vocabulary.ts';
import {
  controllersMessageSchema,
  type factSchema,
  factsMessageSchema,
  queueMessageSchema,
} from './program-facts.ts';
import {count, key, name, programLimits, text, time} from './program-limits.ts';

/** Raised by a change that breaks older senders. */
export const PROGRAM_PROTOCOL = 1;

export const programNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'letters, digits, dots, dashes and underscores, at most 63');

/** The first message. `instance` is random and new at every start of the program. */
export const helloSchema = z.object({
  type: z.literal('hello'),
  protocol: z.number().int(),
  name: programNameSchema,
  instance: z.string().min(8).max(64),
  version: z.string().max(200).optional(),
  pid: count.optional(),
  started: time.optional(),
});

export const programCollectionSchema = z.object({
  name,
  kind: z.enum(collectionKinds),
  /** Its upstream collections. Fetches are also known from runs; without runs, only from here. */
  from: z
    .array(z.object({collection: name, kind: z.enum(['input', 'fetch', 'index', 'join'])}))
    .max(200)
    .default([]),
  synced: z.boolean().default(true),
  resource: resourceSchema.optional(),
});
export type ProgramCollection = z.infer<typeof programCollectionSchema>;

/** The whole graph. Sent again when it changes. Collections that are missing in it are removed with their rows. */
export const collectionsMessageSchema = z.object({
  type: z.literal('collections'),
  collections: z.array(programCollectionSchema).max(programLimits.collections),
});

/**
 * All rows, in as many parts as needed. After the last part, rows that were not named are removed.
 * Sent after `welcome`, after a gap, and when the server requests it with `resync`. `sequence` is the
 * program's own.
 */
export const snapshotMessageSchema = z.object({
  type: z.literal('snapshot'),
  sequence: count,
  at: time,
  items: z.array(z.tuple([name, key, z.unknown()])).max(programLimits.changes),
  /** Inputs of computed collections, with the rows they yield and their fetches. */
  inputs: z
    .array(
      z.object({
        collection: name,
        input: key,
        outputs: z.array(key).max(1000),
        fetches: z
          .array(z.lazy(() => programFetchSchema))
          .max(200)
          .default([]),
      }),
    )
    .max(programLimits.changes)
    .default([]),
  last: z.boolean(),
});

export const programChangeSchema = z.object({
  collection: name,
  key,
  event: z.enum(changeEvents),
  /** Absent for a delete. The server knows the old value. */
  new: z.unknown().optional(),
  /** The position in `runs` of the run that made it. Null for an outside write, absent if it is unknown. */
  run: count.nullable().optional(),
  /** For joins, indexes and maps: the positions of the earlier changes of this batch that caused it. */
  from: z.array(count).max(1000).optional(),
  /** The writer of an object, from its managedFields. */
  writer: z
    .object({
      manager: name,
      operation: z.string().max(40),
      time: z.string().max(64).optional(),
      paths: z.array(key).max(20).optional(),
    })
    .optional(),
});

const via = z.object({kind: z.enum(['index', 'scan']), name: z.string().max(300).optional()});

export const programCauseSchema = z.object({
  kind: z.enum(['input', 'fetch', 'trigger', 'synced', 'formula']),
  collection: name.optional(),
  key: key.optional(),
  event: z.enum(changeEvents).optional(),
  fetch: z.number().int().optional(),
  filter: text.optional(),
  matched: z.enum(['old', 'new', 'both']).optional(),
  via: via.optional(),
  /** Positions in this batch: the run that published the causing change, and the change. */
  run: count.optional(),
  published: count.optional(),
  /** It was inferred, not reported. Several possible ones: it is not known which it was. */
  inferred: z.boolean().optional(),
  possible: z.boolean().optional(),
});

export const programFetchSchema = z.object({
  collection: name,
  filter: text,
  /** The clauses of the filter, as in the engine's traces. Absent if only its text is known. */
  clauses: z
    .array(z.looseObject({kind: z.string().max(40), text}))
    .max(40)
    .optional(),
  matched: count,
  scanned: count.default(0),
  via: via.default({kind: 'scan'}),
  keys: z.array(key).max(100).default([]),
});

export const programRunSchema = z.object({
  collection: name,
  input: key,
  outcome: z.enum(outcomes),
  causes: z.array(programCauseSchema).max(1000).default([]),
  fetches: z.array(programFetchSchema).max(1000).default([]),
  gained: z
    .array(z.object({collection: name, filter: text}))
    .max(1000)
    .default([]),
  lost: z
    .array(z.object({collection: name, filter: text}))
    .max(1000)
    .default([]),
  outputs: z
    .array(z.object({key, change: z.enum(['added', 'changed', 'deleted', 'equal'])}))
    .max(programLimits.changes)
    .default([]),
  /** Milliseconds from the start of settling to the run, and of the run itself. */
  start: z.number().nonnegative().default(0),
  duration: z.number().nonnegative().default(0),
  error: text.optional(),
  waitingFor: name.optional(),
});
export type ProgramRun = z.infer<typeof programRunSchema>;

/** One settled batch, as in the engine's traces. `sequence` is the program's own; the server renumbers it. */
export const batchMessageSchema = z.object({
  type: z.literal('batch'),
  sequence: count,
  received: time,
  settled: time,
  changes: z.array(programChangeSchema).max(programLimits.changes),
  runs: z.array(programRunSchema).max(programLimits.changes).default([]),
  synced: z.array(name).max(programLimits.collections).default([]),
});

/** Messages were dropped because they could not be sent in time. A snapshot follows. */
export const gapMessageSchema = z.object({
  type: z.literal('gap'),
  from: time,
  to: time,
  text: z.string().max(500),
  dropped: count.default(0),
});

/** Messages of the program, in this order: hello, then after `welcome` collections, controllers, queues, a snapshot. */
export const fromProgramSchema = z.discriminatedUnion('type', [
  helloSchema,
  collectionsMessageSchema,
  snapshotMessageSchema,
  batchMessageSchema,
  gapMessageSchema,
  controllersMessageSchema,
  queueMessageSchema,
  factsMessageSchema,
]);
export type FromProgram = z.infer<typeof fromProgramSchema>;
/** The form for senders: fields with defaults are optional. */
export type FromProgramInput = z.input<typeof fromProgramSchema>;
export type ProgramFactInput = z.input<typeof factSchema>;

export const toProgramSchema = z.discriminatedUnion('type', [
  /** The program is accepted, as this session. */
  z.object({
    type: z.literal('welcome'),
    protocol: z.number(),
    session: z.string(),
    /** The key of digests of redacted values, in hex. It belongs to the program's name, over restarts of both sides. */
    redactionKey: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  }),
  /** The server lost its state: send collections, controllers, queues and a snapshot again. */
  z.object({type: z.literal('resync'), reason: z.string()}),
  /** The program is refused, and the socket closes. `retry` says whether another try may help. */
  z.object({type: z.literal('refused'), code: z.string(), message: z.string(), retry: z.boolean()}),
]);
export type ToProgram = z.infer<typeof toProgramSchema>;
