// What the Timeline and the Overview draw: buckets of runs, root writes, gaps, rates and lag.
import {z} from 'zod';
import {signals} from './field-managers.ts';
import {writerSchema} from './run.ts';
import {changeEvents} from './vocabulary.ts';

export const bucketSchema = z.object({
  at: z.number(),
  sequence: z.number(),
  changed: z.number(),
  equal: z.number(),
  failed: z.number(),
  writes: z.number(),
  /** Of the writes, those of people and their tools. */
  people: z.number(),
});
export type Bucket = z.infer<typeof bucketSchema>;

/** A stretch without news: a lost watch, the engine process away, or a program that was away or said too much. */
export const gapSchema = z.object({
  kind: z.enum(['watch', 'engine', 'program']),
  from: z.number(),
  to: z.number(),
  sequence: z.number(),
  text: z.string(),
});
export type TimelineGap = z.infer<typeof gapSchema>;

export const retainedHistorySchema = z.object({
  runs: z.number(),
  bytes: z.number(),
  oldest: z.number(),
  newest: z.number(),
  since: z.number(),
  limits: z.object({runs: z.number(), megabytes: z.number()}),
});
export type RetainedHistory = z.infer<typeof retainedHistorySchema>;

export const timelineSchema = z.object({
  from: z.number(),
  to: z.number(),
  buckets: z.array(bucketSchema),
  gaps: z.array(gapSchema),
  kept: retainedHistorySchema,
});
export type Timeline = z.infer<typeof timelineSchema>;

/** A change that came from outside, with what followed from it. */
export const rootWriteSchema = z.object({
  sequence: z.number(),
  at: z.number(),
  collection: z.string(),
  key: z.string(),
  event: z.enum(changeEvents),
  writer: writerSchema.optional(),
  signal: z.enum(signals),
  /** Of an update, the path to name first. */
  path: z.string().optional(),
  runs: z.number(),
  changed: z.number(),
});
export type RootWrite = z.infer<typeof rootWriteSchema>;

export const busyCollectionSchema = z.object({
  collection: z.string(),
  runs: z.number(),
  equal: z.number(),
  milliseconds: z.number(),
  lag: z.number(),
  spark: z.array(z.number()),
});
export type BusyCollection = z.infer<typeof busyCollectionSchema>;

export const statsSchema = z.object({
  sequence: z.number(),
  at: z.number(),
  objects: z.number(),
  runsPerMinute: z.number(),
  /** Milliseconds from a change received to its batch settled, over the last minute. */
  lag: z.object({
    p50: z.number(),
    p99: z.number(),
    histogram: z.array(z.object({upTo: z.number(), count: z.number()})),
  }),
  busiest: z.array(busyCollectionSchema),
  /** People's first, then controllers', then churn; of each the newest, newest first. */
  writes: z.array(rootWriteSchema),
  /** How many of each there were in the batches that were looked at, shown or not. */
  writeCounts: z.object({person: z.number(), controller: z.number(), churn: z.number()}),
  /** Share of engine time that recording takes, 0 to 1; heap in bytes. */
  recorder: z.number(),
  /** Milliseconds of every second that recording takes, over about the last ten; absent in an opened file. */
  recorderCost: z.number().optional(),
  /** Milliseconds between frames, where they come less often than usual: more than 2,000 changes a second. */
  frame: z.number().optional(),
  heap: z.number(),
  kept: retainedHistorySchema,
});
export type Stats = z.infer<typeof statsSchema>;
