// The clock that a program gives the engine. The engine has none of its own.

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Calls `f` once after `ms` milliseconds; returns a function that cancels the call. */
  after(ms: number, f: () => void): () => void;
}
