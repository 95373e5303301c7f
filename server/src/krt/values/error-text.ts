// What an error says, whatever was thrown: a text that can be shown.

/** Never throws itself: what a user's function throws may have a message that cannot be read. */
export function errorText(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message : String(error);
    return typeof text === 'string' ? text : String(text);
  } catch {
    return 'something was thrown that cannot be shown as text';
  }
}
