// One recorded run of a formula for an input: its causes, fetches and outcome.
import {z} from 'zod';
import {signals} from './field-managers.ts';
import {changeEvents, outcomes} from './vocabulary.ts';

export const refSchema = z.object({collection: z.string(), key: z.string()});
export type ItemRef = z.infer<typeof refSchema>;

/** The last writer of an object, from its managedFields. */
export const writerSchema = z.object({
  manager: z.string(),
  operation: z.string(),
  time: z.string().optional(),
  paths: z.array(z.string()).optional(),
});
export type WireWriter = z.infer<typeof writerSchema>;

export const causeSchema = z.object({
  kind: z.enum(['input', 'fetch', 'trigger', 'synced', 'formula']),
  collection: z.string().optional(),
  key: z.string().optional(),
  event: z.enum(changeEvents).optional(),
  /** The filter of the matching fetch as text, and its position among the fetches of the previous run. */
  filter: z.string().optional(),
  fetch: z.number().optional(),
  matched: z.enum(['old', 'new', 'both']).optional(),
  via: z.object({kind: z.enum(['index', 'scan']), name: z.string().optional()}).optional(),
  /** The run that published the causing change. Absent if a source did. */
  run: z.string().optional(),
  /** Inferred from the log of an attached program, which does not name it. */
  inferred: z.boolean().optional(),
  /** One of several possible causes. */
  possible: z.boolean().optional(),
});
export type RunCause = z.infer<typeof causeSchema>;

export const fetchSchema = z.object({
  collection: z.string(),
  filter: z.string(),
  matched: z.number(),
  scanned: z.number(),
  via: z.object({kind: z.enum(['index', 'scan']), name: z.string().optional()}),
  keys: z.array(z.string()),
});
export type RunFetch = z.infer<typeof fetchSchema>;

export const dependencySchema = z.object({collection: z.string(), filter: z.string()});
export type RunDependency = z.infer<typeof dependencySchema>;

export const runSchema = z.object({
  /** `<sequence>.<position in its batch>`: sorts, and survives an engine restart. */
  id: z.string(),
  sequence: z.number(),
  at: z.number(),
  collection: z.string(),
  input: z.string(),
  outcome: z.enum(outcomes),
  causes: z.array(causeSchema),
  fetches: z.array(fetchSchema),
  gained: z.array(dependencySchema),
  lost: z.array(dependencySchema),
  outputs: z.array(z.object({key: z.string(), change: z.enum(['added', 'changed', 'deleted', 'equal'])})),
  counts: z.object({added: z.number(), changed: z.number(), deleted: z.number(), equal: z.number()}),
  /** Milliseconds from the start of the batch, and of the run itself. */
  start: z.number(),
  duration: z.number(),
  error: z.string().optional(),
  waitingFor: z.string().optional(),
  /** In a trace: the most important kind of write in its batch. */
  signal: z.enum(signals).optional(),
});
export type RunRecord = z.infer<typeof runSchema>;

/** A run as one mark, for run histories and blast radii. */
export const runMarkSchema = z.object({
  id: z.string(),
  sequence: z.number(),
  at: z.number(),
  outcome: z.enum(outcomes),
});
export type RunMark = z.infer<typeof runMarkSchema>;

/** Recorded runs of an item, oldest first: at most 200 around the selected one, and how many more there are. */
export const runStripSchema = z.object({
  strip: z.array(runMarkSchema),
  beyond: z.object({before: z.number(), after: z.number()}),
});
export type RunStrip = z.infer<typeof runStripSchema>;

export const traceSchema = z.object({
  sequence: z.number(),
  runs: z.array(runSchema),
  cursor: z.string().optional(),
});
export type TraceAnswer = z.infer<typeof traceSchema>;
