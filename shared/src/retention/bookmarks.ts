// Named moments of a session's recording.
import {z} from 'zod';

export const bookmarkSchema = z.object({
  id: z.string(),
  name: z.string(),
  sequence: z.number(),
  /** The time of the moment, and the time of the bookmark. */
  at: z.number(),
  created: z.number(),
});
export type StoredBookmark = z.infer<typeof bookmarkSchema>;

export const newBookmarkSchema = z.object({
  name: z.string().trim().min(1).max(200),
  sequence: z.number().int().nonnegative(),
});
