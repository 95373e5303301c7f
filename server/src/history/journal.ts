// What is recorded of a session beside its objects: states of its sources, violations, incidents. They are collections
// like any other, so that a moment, a restart and a file find them as they were; nobody is shown them as collections.

export const journals = {
  sources: 'krtscope:sources',
  violations: 'krtscope:violations',
  incidents: 'krtscope:incidents',
} as const;
export type JournalName = keyof typeof journals;

/** No formula and no source can have such a name. */
export function isJournal(collection: string): boolean {
  return collection.startsWith('krtscope:');
}
