// Classes of reconcile failures: errors that a retry cannot fix, and bugs in the program.

import {messageOf} from '../log/error-text.ts';

/** A retry would fail the same way, so the request waits for the next change. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';

  constructor(messageOrCause: unknown, options?: {cause?: unknown}) {
    const cause = options?.cause ?? (typeof messageOrCause === 'string' ? undefined : messageOrCause);
    const message = typeof messageOrCause === 'string' ? messageOrCause : messageOf(messageOrCause);
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

/** Frames of Node itself and of libraries that send requests. */
const networkFrame =
  /\b(node|undici):|[/\\]node_modules[/\\](undici|ws|node-fetch|axios|got|ky|superagent)[/\\]/;

/**
 * True for bugs in the program: a thrown value that is not an Error, or an error of the language in the program's own
 * code. Node throws TypeError for failed requests too; they carry a cause or come from Node's own code.
 */
export function isPanic(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const isLanguageError =
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  if (!isLanguageError || error.cause !== undefined) return false;
  const innermost = error.stack?.split('\n').find(line => /^\s+at /.test(line));
  return innermost === undefined || !networkFrame.test(innermost);
}

/** A recovered panic. */
export class PanicError extends Error {
  override readonly name = 'PanicError';

  constructor(cause: unknown) {
    super(`panic: ${messageOf(cause)} [recovered]`, {cause});
    if (cause instanceof Error && cause.stack) this.stack = cause.stack;
  }
}

/** The run exceeded its reconciliationTimeout. */
export class ReconcileTimeoutError extends Error {
  override readonly name = 'ReconcileTimeoutError';
}
