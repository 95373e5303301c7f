// What is written to somebody's terminal: names and messages of a cluster, a file or a command line are shown there and
// never obeyed.

/** Control characters, and those that end a line or turn the direction of writing, written out. Lines and tabs stay. */
export function escapeControlCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, sign => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** In one line: what comes after a line break could pass for a line of ours. */
export const toOneLine = (text: string): string => escapeControlCharacters(text.split('\n').join(' '));

/** With its stack, whose lines are set in: none of them passes for a line of ours. */
export function faultText(error: unknown): string {
  const {stack} = (error ?? {}) as {stack?: unknown};
  const lines = (typeof stack === 'string' ? stack : String(error)).split('\n');
  return escapeControlCharacters(
    lines.map((line, i) => (i === 0 ? line : `    ${line.trimStart()}`)).join('\n'),
  );
}
