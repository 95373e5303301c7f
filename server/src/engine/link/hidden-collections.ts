// Journals of a recording (history/journal.ts) that main writes like sources: programs' reports about themselves and
// their controllers, and the state of attached programs. Main keeps these rows for the next process, so the host does not return them.

export const hiddenCollections = {
  /** One row that describes the program. */
  program: 'krtscope:program',
  /** One row with the collections that a program reports. */
  graph: 'krtscope:graph',
  controllers: 'krtscope:controllers',
  requests: 'krtscope:requests',
  attempts: 'krtscope:attempts',
  /** What main knows about an attached program (attached-rows.ts). */
  attached: 'krtscope:attached',
} as const;

const hiddenNames: ReadonlySet<string> = new Set(Object.values(hiddenCollections));

export function isHiddenCollection(collection: string): boolean {
  return hiddenNames.has(collection);
}
