// What a session tells whoever started krtscope: a line a sentence, on stderr.
import {toOneLine} from '../terminal.ts';

/** Names of files, and what a server or a formula said, neither speak to the terminal nor pass for a line of ours. */
export const logLine = (sentence: string): string => `krtscope: ${toOneLine(sentence)}\n`;

export function log(sentence: string): void {
  process.stderr.write(logLine(sentence));
}
