// The name of a function for messages. Reading it may give anything, or throw.

export function functionNameOf(call: (...given: never[]) => unknown, otherwise: string): string {
  try {
    const name: unknown = call.name;
    return typeof name === 'string' && name !== '' ? name : otherwise;
  } catch {
    return otherwise;
  }
}
