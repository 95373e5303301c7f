// Why a cluster cannot be reached, as a clause after its name.

/** The reason for an unreachable session, as a clause. The sentence has already named the server. */
export function unreachableText(reason: string | undefined): string {
  if (reason === undefined || reason === '') return 'does not answer';
  const [, said] = /^the server (.+)$/s.exec(reason) ?? [];
  return said ?? `does not answer: ${reason}`;
}
