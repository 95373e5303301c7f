/** A count with its noun: `1 source`, `1,204 sources`; `many` for nouns without a regular plural. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
