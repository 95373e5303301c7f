// How far the informers of an attached program are behind their cluster.
import {z} from 'zod';

export const lagRowSchema = z.object({
  key: z.string(),
  /** `behind`: an older version. `missing`: only the cluster has it. `extra`: only the program has it. */
  state: z.enum(['behind', 'missing', 'extra']),
  seconds: z.number(),
});
export type LagRow = z.infer<typeof lagRowSchema>;

export const collectionLagSchema = z.object({
  name: z.string(),
  /** As kubectl names it: `services`, `endpointslices.discovery.k8s.io`. */
  resource: z.string(),
  same: z.number(),
  behind: z.number(),
  missing: z.number(),
  extra: z.number(),
  /** How long the oldest of these rows has differed. Rows that the informer leaves out do not count. */
  behindSeconds: z.number(),
  /** The informer did not have all objects when krtscope attached, so it selects some of them. */
  selective: z.boolean().optional(),
  /** The rows that differ, longest first, at most 20. */
  rows: z.array(lagRowSchema),
});
export type CollectionLag = z.infer<typeof collectionLagSchema>;

export const lagSchema = z.object({
  /** The session of the same cluster. Absent if none is open. */
  cluster: z.string().optional(),
  /** When the document of this comparison was requested, milliseconds since 1970. */
  asOf: z.number().optional(),
  /** Why nothing is compared now. */
  reason: z.string().optional(),
  hint: z.string().optional(),
  collections: z.array(collectionLagSchema),
  /** Informers whose kind the cluster's session does not watch. */
  notCompared: z.array(z.string()),
});
export type LagAnswer = z.infer<typeof lagSchema>;
