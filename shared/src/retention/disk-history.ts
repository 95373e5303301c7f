// History on disk: how much a session keeps, and which recordings lie there.
import {z} from 'zod';
import {retainedHistorySchema} from '../timeline.ts';

export const momentSchema = z.object({sequence: z.number(), time: z.number()});

/** Whether a session's history is written to disk, and why not. */
export const diskStates = ['off', 'waiting', 'writing', 'read-only', 'failing'] as const;
export type DiskState = (typeof diskStates)[number];

export const diskHistorySchema = z.object({
  state: z.enum(diskStates),
  reason: z.string().optional(),
  /** Bytes of this recording, and the limit for all recordings. */
  bytes: z.number(),
  limit: z.number(),
  days: z.number(),
});
export type DiskHistory = z.infer<typeof diskHistorySchema>;

/** All that a session keeps: `hot` is in memory, the rest on disk. */
export const sessionRetentionSchema = retainedHistorySchema.extend({
  oldest: momentSchema,
  newest: momentSchema,
  hot: z.object({oldest: momentSchema}),
  disk: diskHistorySchema,
});
export type SessionRetention = z.infer<typeof sessionRetentionSchema>;

export const storedRecordingSchema = z.object({
  id: z.string(),
  /** Of the cluster: the uid of its namespace kube-system, or the start id of the demo. */
  cluster: z.string(),
  kind: z.enum(['demo', 'live', 'program', 'attached']),
  name: z.string(),
  context: z.string().optional(),
  server: z.string().optional(),
  oldest: momentSchema.optional(),
  newest: momentSchema.optional(),
  bytes: z.number(),
  /** A krtscope writes it now: this one (`here`) or another one. */
  writer: z.enum(['here', 'other']).optional(),
  problem: z.string().optional(),
});
export type StoredRecording = z.infer<typeof storedRecordingSchema>;
