// The limits for programs, and the basic schemas of their messages.
import {z} from 'zod';

/** Beyond these limits the server refuses a program and closes its socket, unless a comment says otherwise. */
export const programLimits = {
  programs: 8,
  messageBytes: 8 * 1024 * 1024,
  /** Sustained rate, with ten seconds' worth at once. Faster programs are read more slowly. */
  bytesPerSecond: 16 * 1024 * 1024,
  /** Rows of a program, and their size as text. */
  rows: 500_000,
  heldBytes: 512 * 1024 * 1024,
  /** Unsent bytes at which a sender drops messages and reports a gap. */
  unsentBytes: 8 * 1024 * 1024,
  collections: 500,
  controllers: 200,
  changes: 20_000,
} as const;

/** Close codes of sockets. */
export const programCloses = {refused: 4400, tooLarge: 4413, tooMany: 4429, replaced: 4409} as const;

export const name = z.string().min(1).max(300);
export const key = z.string().max(2000);
export const text = z.string().max(20_000);
export const time = z.number().finite();
export const count = z.number().int().nonnegative();
