// Kinds of failure that a controller tells apart: those that another try cannot mend, and those that are
// mistakes in the program.

/** Another try would fail the same way: the request waits until something changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';

  constructor(messageOrCause: unknown, options?: {cause?: unknown}) {
    const cause = options?.cause ?? (typeof messageOrCause === 'string' ? undefined : messageOrCause);
    const message = typeof messageOrCause === 'string' ? messageOrCause : textOf(messageOrCause);
    super(`terminal error: ${message}`, cause === undefined ? undefined : {cause});
  }
}

/** Also where it is the cause of another error, or one of several. */
export function isTerminal(error: unknown, depth = 0): boolean {
  if (error instanceof TerminalError) return true;
  if (!(error instanceof Error) || depth > 16) return false;
  if (error instanceof AggregateError && error.errors.some(one => isTerminal(one, depth + 1))) return true;
  return isTerminal(error.cause, depth + 1);
}

/** A mistake in the program rather than a failure it foresaw: no Error at all, or one that the language throws. */
export function isPanic(error: unknown): boolean {
  return (
    !(error instanceof Error) ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError
  );
}

/** A panic that was caught. */
export class PanicError extends Error {
  override readonly name = 'PanicError';

  constructor(cause: unknown) {
    super(`panic: ${textOf(cause)} [recovered]`, {cause});
    if (cause instanceof Error && cause.stack) this.stack = cause.stack;
  }
}

/** Its reconciliationTimeout was over before the run was. */
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
