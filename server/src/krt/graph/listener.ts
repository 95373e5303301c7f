// Calls listeners of traces and violations: one that throws must not tear a batch apart, nor go unnoticed.

/** The error surfaces as an uncaught one, after everything that is under way. */
export function callSafely<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
