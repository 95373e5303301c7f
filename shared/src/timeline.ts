// The data of the Timeline and the Overview: buckets of runs, outside writes, gaps, rates and latency.
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
  /** Writes of people and their tools, out of `writes`. */
  people: z.number(),
});
export type Bucket = z.infer<typeof bucketSchema>;

/** A time without news: a lost watch, a restart of the engine process, or a program that was away or too fast. */
export const gapSchema = z.object({
  kind: z.enum(['watch', 'engine', 'program']),
  from: z.number(),
  to: z.number(),
  sequence: z.number(),
  text: z.string(),
});
export type TimelineGap = z.infer<typeof gapSchema>;

/** How the text of a gap begins if all of krtscope was away. */
export const NOT_RUNNING = 'krtscope was not running';

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

/** A change from outside, with its effects. */
export const rootWriteSchema = z.object({
  sequence: z.number(),
  at: z.number(),
  collection: z.string(),
  key: z.string(),
  event: z.enum(changeEvents),
  writer: writerSchema.optional(),
  signal: z.enum(signals),
  /** The most important path of an update. */
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
  /** Absent if no latency was measured in the last minute. */
  lag: z.number().optional(),
  spark: z.array(z.number()),
});
export type BusyCollection = z.infer<typeof busyCollectionSchema>;

export const statsSchema = z.object({
  sequence: z.number(),
  at: z.number(),
  objects: z.number(),
  runsPerMinute: z.number(),
  /** Milliseconds from receiving a change to settling its batch, over the last minute. No quantiles if none was measured. */
  lag: z.object({
    p50: z.number().optional(),
    p99: z.number().optional(),
    histogram: z.array(z.object({upTo: z.number(), count: z.number()})),
  }),
  busiest: z.array(busyCollectionSchema),
  /** Writes of people first, then of controllers, then background changes; newest first. */
  writes: z.array(rootWriteSchema),
  /** Counts of all writes, shown or not. */
  writeCounts: z.object({person: z.number(), controller: z.number(), churn: z.number()}),
  /** Share of engine time that recording takes, 0 to 1; heap in bytes. */
  recorder: z.number(),
  /** Milliseconds of every second that recording takes, over about ten seconds. Absent for a recording. */
  recorderCost: z.number().optional(),
  /** Milliseconds between frames, if they are slower than usual: above 2,000 changes a second. */
  frame: z.number().optional(),
  heap: z.number(),
  kept: retainedHistorySchema,
});
export type Stats = z.infer<typeof statsSchema>;
