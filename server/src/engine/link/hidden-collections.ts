// Journals of a recording (history/journal.ts) that main writes, as it writes sources: what programs say of themselves
// and of their controllers. Main holds these rows for the next process, so the host does not give them back.

export const hiddenCollections = {
  /** One row: which program this is. */
  program: 'krtscope:program',
  /** One row: the collections that a program says it has. */
  graph: 'krtscope:graph',
  controllers: 'krtscope:controllers',
  requests: 'krtscope:requests',
  attempts: 'krtscope:attempts',
} as const;

const hiddenNames: ReadonlySet<string> = new Set(Object.values(hiddenCollections));

export function isHiddenCollection(collection: string): boolean {
  return hiddenNames.has(collection);
}
