// The message of anything that was thrown.

/** Never throws, even if reading the message does. */
export function errorText(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message : String(error);
    return typeof text === 'string' ? text : String(text);
  } catch {
    return 'something was thrown that cannot be shown as text';
  }
}
