// Time is given, never taken: the engine reads no clock of its own.

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Calls `f` once after so many milliseconds; returns its cancel. */
  after(ms: number, f: () => void): () => void;
}
