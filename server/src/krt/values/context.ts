// The token that a formula gets.

export interface HandlerContext {
  /** Asks the engine to keep what it has for this input. */
  discardResult(): void;
}
