// Classes of reconcile failures: errors that a retry cannot fix, and bugs in the program.

/** A retry would fail the same way, so the request waits for the next change. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';

  constructor(messageOrCause: unknown, options?: {cause?: unknown}) {
    const cause = options?.cause ?? (typeof messageOrCause === 'string' ? undefined : messageOrCause);
    const message = typeof messageOrCause === 'string' ? messageOrCause : textOf(messageOrCause);
    super(`terminal error: ${message}`, cause === undefined ? undefined : {cause});
  }
}

/** Also checks causes and aggregated errors. */
export function isTerminal(error: unknown, depth = 0): boolean {
  if (error instanceof TerminalError) return true;
  if (!(error instanceof Error) || depth > 16) return false;
  if (error instanceof AggregateError && error.errors.some(one => isTerminal(one, depth + 1))) return true;
  return isTerminal(error.cause, depth + 1);
}

/** True for bugs in the program: a thrown value that is not an Error, or an error of the language itself. */
export function isPanic(error: unknown): boolean {
  return (
    !(error instanceof Error) ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError
  );
}

/** A recovered panic. */
export class PanicError extends Error {
  override readonly name = 'PanicError';

  constructor(cause: unknown) {
    super(`panic: ${textOf(cause)} [recovered]`, {cause});
    if (cause instanceof Error && cause.stack) this.stack = cause.stack;
  }
}

/** The run exceeded its reconciliationTimeout. */
export class ReconcileTimeoutError extends Error {
  override readonly name = 'ReconcileTimeoutError';
}

export function textOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === 'string') return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}
