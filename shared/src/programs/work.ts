// What an attached program did in vain, by its log, and what stands out in its documents.
import {z} from 'zod';
import {type ItemRef, refSchema} from '../run.ts';

export const collectionWorkSchema = z.object({
  name: z.string(),
  runs: z.number(),
  /** Runs after which no row was different. */
  equal: z.number(),
  /** `equal` as a share of `runs`, from 0 to 1. */
  share: z.number(),
  /** Runs of an input that had already run for the same change. */
  repeated: z.number(),
  /** The row of an informer whose change led to the last repeated runs. */
  repeatedAfter: refSchema.optional(),
  /** The last change that led to an equal or a repeated run. */
  last: z
    .object({
      /** Milliseconds since 1970. */
      time: z.number(),
      runs: z.number(),
      equal: z.number(),
      repeated: z.number(),
      inputs: z.number(),
      /** The row of an informer that led to the runs; absent if it is not known. */
      cause: refSchema.optional(),
    })
    .optional(),
  /** Fetches that compared every row of a large collection. */
  scans: z.array(
    z.object({collection: z.string(), filter: z.string(), fetches: z.number(), rows: z.number()}),
  ),
});
export type CollectionWork = z.infer<typeof collectionWorkSchema>;

export const programWorkSchema = z.object({
  /** When krtscope began to count, milliseconds since 1970. */
  since: z.number(),
  runs: z.number(),
  equal: z.number(),
  repeated: z.number(),
  /** The most equal runs first, at most 200. */
  collections: z.array(collectionWorkSchema),
  documents: z.object({
    notSynced: z.array(z.string()),
    /** Inputs without rows, where most inputs of the collection have some. */
    withoutOutput: z.array(z.object({collection: z.string(), inputs: z.number(), keys: z.array(z.string())})),
    /** Rows that were removed and came back. `times` counts how often they came. */
    flapping: z.array(z.object({collection: z.string(), key: z.string(), times: z.number()})),
    bytes: z.number(),
    /** By the length of its rows as JSON, at most 10. */
    largest: z.array(
      z.object({collection: z.string(), rows: z.number(), bytes: z.number(), share: z.number()}),
    ),
    changes: z.number(),
    /** By changed rows, at most 10. */
    busiest: z.array(z.object({collection: z.string(), changes: z.number(), share: z.number()})),
    /** Names that collections read and the document does not have. */
    absent: z.array(z.object({name: z.string(), readers: z.array(z.string())})),
  }),
});
export type ProgramWork = z.infer<typeof programWorkSchema>;

/** What is worth a finding. */
export type WorkFact =
  | {
      code: 'equal-runs';
      collection: string;
      runs: number;
      equal: number;
      last: {runs: number; equal: number; inputs: number; cause?: ItemRef | undefined};
    }
  | {code: 'repeated-runs'; collection: string; repeated: number; runs: number; cause?: ItemRef | undefined}
  | {code: 'unindexed-fetch'; collection: string; read: string; filter: string; fetches: number; rows: number}
  | {code: 'not-synced'; collection: string}
  | {code: 'without-output'; collection: string; inputs: number; keys: string[]}
  | {code: 'comes-and-goes'; collection: string; keys: string[]; times: number}
  | {code: 'largest'; collection: string; rows: number; bytes: number; share: number}
  | {code: 'busiest'; collection: string; changes: number; share: number}
  | {code: 'absent-names'; collection: string; names: string[]};
