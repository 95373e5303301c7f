// The hidden collections of a session: states of its sources, violations, incidents. As collections they have a history,
// and survive a restart and a file. The page does not list them.

export const journals = {
  sources: 'krtscope:sources',
  violations: 'krtscope:violations',
  incidents: 'krtscope:incidents',
} as const;
export type JournalName = keyof typeof journals;

/** A name that no formula and no source can have. */
export function isJournal(collection: string): boolean {
  return collection.startsWith('krtscope:');
}
