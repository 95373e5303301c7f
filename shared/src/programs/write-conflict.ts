// Recognises a refused write whose object had changed meanwhile, or whose field has another owner, by the API server's text.

const conflictText = /has been modified|conflicts? with|^conflict/i;

export function isConflict(error: string | undefined): boolean {
  return error !== undefined && conflictText.test(error);
}
