// Makes text safe for a terminal: control characters in names and messages are shown and never obeyed.
import {escapeCharacter, escapeHiddenCharacters} from '@krtscope/shared/text/hidden-characters.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Escapes control characters, invisible ones, and those that end a line or change the writing direction. Keeps
 * newlines and tabs.
 */
export function escapeControlCharacters(text: string): string {
  return escapeHiddenCharacters(text.replace(controlCharacters, escapeCharacter));
}

/** One line of text. Text after a newline could look like a line of krtscope. */
export const toOneLine = (text: string): string => escapeControlCharacters(text.split('\n').join(' '));

/** The error with its stack. Stack lines are indented, so that they cannot look like lines of krtscope. */
export function faultText(error: unknown): string {
  const {stack} = (error ?? {}) as {stack?: unknown};
  const lines = (typeof stack === 'string' ? stack : String(error)).split('\n');
  return escapeControlCharacters(
    lines.map((line, i) => (i === 0 ? line : `    ${line.trimStart()}`)).join('\n'),
  );
}
