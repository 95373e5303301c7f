// What krtscope takes of a program, and the words that its messages are made of.
import {z} from 'zod';

/** What the server takes; what goes beyond it is refused in words and the socket is closed, unless a line says otherwise. */
export const programLimits = {
  programs: 8,
  messageBytes: 8 * 1024 * 1024,
  /** Sustained, with ten seconds' worth at once: who sends more is read more slowly. */
  bytesPerSecond: 16 * 1024 * 1024,
  /** Rows of a program, and what they may weigh as text. */
  rows: 500_000,
  heldBytes: 512 * 1024 * 1024,
  /** What a sender may keep unsent before it drops and marks a gap. */
  unsentBytes: 8 * 1024 * 1024,
  collections: 500,
  controllers: 200,
  changes: 20_000,
} as const;

/** Where a socket is closed, with one of these codes. */
export const programCloses = {refused: 4400, tooLarge: 4413, tooMany: 4429, replaced: 4409} as const;

export const name = z.string().min(1).max(300);
export const key = z.string().max(2000);
export const text = z.string().max(20_000);
export const time = z.number().finite();
export const count = z.number().int().nonnegative();
