// A cluster that was never heard: what is wrong with it, to be said after its name.

/** The reason of a session that is unreachable, as a clause: the server is what was just named. */
export function unreachableText(reason: string | undefined): string {
  if (reason === undefined || reason === '') return 'does not answer';
  const [, said] = /^the server (.+)$/s.exec(reason) ?? [];
  return said ?? `does not answer: ${reason}`;
}
