// A mistake of the person who typed the command.

/** Becomes one line on stderr and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
