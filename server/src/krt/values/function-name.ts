// The name of a user's function, for words: it may be anything, or throw when it is read.

export function functionNameOf(call: (...given: never[]) => unknown, otherwise: string): string {
  try {
    const name: unknown = call.name;
    return typeof name === 'string' && name !== '' ? name : otherwise;
  } catch {
    return otherwise;
  }
}
