// What a check says to do is a command to copy, or advice.

const PROGRAMS = /^(kubectl|istioctl|helm|krtscope|npx) /;

export function isCommand(hint: string): boolean {
  return PROGRAMS.test(hint);
}

/** Advice as a sentence. Checks write it as a clause, so that it can follow a colon. */
export function adviceSentence(advice: string): string {
  const sentence = `${advice.slice(0, 1).toUpperCase()}${advice.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
