// An error in the command line.

/** Becomes one line on stderr and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
